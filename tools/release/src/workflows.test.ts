import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, '.github/workflows');
const files = readdirSync(folder);
const textOf = (file: string) => readFileSync(join(folder, file), 'utf8');

interface Workflow {
  readonly env?: object;
  readonly jobs: Readonly<Record<string, Job>>;
}
interface Job {
  readonly env?: object;
  readonly steps?: readonly { readonly run?: string; readonly env?: Readonly<Record<string, string>> }[];
}
const runsOf = (file: string): string[] =>
  Object.values((parse(textOf(file)) as Workflow).jobs).flatMap(({ steps = [] }) =>
    steps.flatMap(({ run }) => run ?? []),
  );
const allRuns = files.flatMap((file) => runsOf(file).map((run) => [file, run] as const));

// The parser imports JSON without an attribute, which Node rejects.
const hooks = registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    return specifier.endsWith('.json') ? { ...found, importAttributes: { type: 'json' } } : found;
  },
});
const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = await import('@actions/workflow-parser');
hooks.deregister();

/** Returns the errors that GitHub reports for a workflow, expressions included. */
async function faultsOf(name: string, content: string): Promise<string[]> {
  const { context, value } = parseWorkflow({ name, content }, new NoOperationTraceWriter());
  if (value !== undefined) await convertWorkflowTemplate(context, value);
  return context.errors.getErrors().map(({ message }) => message);
}

describe('the workflows', () => {
  it.each(files)('are valid: %s', async (file) => {
    expect(await faultsOf(file, textOf(file))).toEqual([]);
  });

  it('are parsed by a parser that reports wrong keys, permissions and expressions', async () => {
    const release = textOf('release.yml');
    for (const [right, wrong] of [
      ['runs-on:', 'run-on:'],
      ['id-token: write', 'id-token: always'],
      ["steps.release.outputs.next == 'version'", "steps.release.outputs.next === 'version'"],
    ] as const) {
      expect(release).toContain(right);
      expect(await faultsOf('release.yml', release.replace(right, wrong)), wrong).not.toEqual([]);
    }
  });

  it.each(allRuns)('run valid bash: %s %#', (_, run) => {
    expect(spawnSync('bash', ['-n'], { input: run, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  });

  it.each(allRuns)('insert no expressions into shell code: %s %#', (_, run) => {
    expect(run).not.toContain('${{');
  });

  it.each(files)('pass a token only to the steps that use it: %s', (file) => {
    const { env, jobs } = parse(textOf(file)) as Workflow;
    const steps = Object.values(jobs).flatMap((job) => job.steps ?? []);
    expect([env, ...Object.values(jobs).map((job) => job.env)].filter((given) => given !== undefined)).toEqual([]);
    expect(steps.filter((step) => 'GH_TOKEN' in (step.env ?? {}) !== /^ *gh /m.test(step.run ?? ''))).toEqual([]);
  });

  it.each(files)('use no stored secret: %s', (file) => {
    expect(textOf(file)).not.toMatch(/\bsecrets\b/);
  });

  it.each(files)('pin each action by its commit: %s', (file) => {
    const actions = [...textOf(file).matchAll(/^ *-? *uses: (?!\.\/)(.*)$/gm)].map(([, action]) => action);
    expect(actions.length).toBeGreaterThan(0);
    for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('call existing scripts of the workspace', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const called = allRuns.flatMap(([, run]) =>
      [...run.matchAll(/\bpnpm (?:--silent )?([a-z]+:[a-z]+)/g)].map(([, name]) => name),
    );
    expect([...new Set(called)].sort()).toEqual([
      'release:papers',
      'release:publish',
      'release:state',
      'release:version',
    ]);
    expect(called.filter((name) => !(String(name) in scripts))).toEqual([]);
    expect(runsOf('ci.yml')).toEqual(['bash .ci/run']);
  });
});
