import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { readReadmeProgram } from '../../../release/src/rehearsal/readme-program.ts';
import { compileFiles } from '../compile-files.ts';
import { bundleProgram } from './bundle-program.ts';

const run = promisify(execFile);
const { urls, credentials } = inject('servers');

const programs = {
  'staff-client': readProgram('staff-client', {
    'https://proxy.example.org': urls['staff-proxy'],
    'your-key': credentials.STAFF_PROXY_ADMIN_KEY,
    'https://scheduling.example.org': urls.scheduling,
    'ops@example.org': credentials.SCHEDULING_ADMIN_EMAIL,
    'your password': credentials.SCHEDULING_ADMIN_PASSWORD,
    'your-company': credentials.COMPANY_KEY,
  }),
  'gateway-client': readProgram('gateway-client', {
    'https://gateway.example.org': urls.gateway,
    'your-key': credentials.GATEWAY_KEY,
  }),
};

function readProgram(name: string, replaced: Readonly<Record<string, string>>): string {
  const readme = readFileSync(new URL(`../../../../packages/${name}/README.md`, import.meta.url), 'utf8');
  return readReadmeProgram(readme, replaced)?.code ?? '';
}

/** The expected output of each program with the demo companies. */
const prints = {
  'staff-client': [
    /^\S+ O\S+ \[.*\]$/m,
    /^admin sees 1$/m,
    /^\$filter=Tags\/any\(x1:x1\/Tags\/any\(x2:x2\/Name eq 'Cardiology'\)\) and EndDate gt \d{4}-.*Z$/m,
    /^[1-9]\d* cardiologists$/m,
    /^1\d\d\d people$/m,
    /^\d+ categories of tags, \d+ skills$/m,
    /^round 1: 1\d\d\d received$/m,
    /^round 2: \d+ received$/m,
    /^(created|updated) Osei$/m,
    /^true precondition_failed$/m,
    /^true 404 not_found .+ [\w-]{10,}$/m,
    /^undefined \[\]$/m,
  ],
  'gateway-client': [
    /^[1-9]\d* endpoints, the first at \/api\/\w+$/m,
    /^key valid: true$/m,
    /^status: healthy$/m,
    /^401 key_missing .+ [\w-]{10,}$/m,
  ],
};

/** This Node and, if installed, the first of each other major version from 20 on. */
const nodes = await findNodes();

async function findNodes(): Promise<[version: string, path: string][]> {
  const found = new Map<string, string>();
  const folders = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  for (const path of [process.execPath, ...folders.filter((file) => existsSync(file))]) {
    const { stdout } = await run(path, ['--version']).catch(() => ({ stdout: '' }));
    const [, major = '0'] = /^v(\d+)\./.exec(stdout) ?? [];
    if (Number(major) >= 20 && !found.has(major)) found.set(major, path);
  }
  return [...found];
}

describe.each(['staff-client', 'gateway-client'] as const)('the README of %s', (name) => {
  const workspace = fileURLToPath(new URL('../../node_modules/', import.meta.url));

  test('has code that compiles', async () => {
    const folder = await mkdtemp(join(workspace, '.readme-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'program.ts'), programs[name]);
    expect(await compileFiles(folder, ['program.ts'])).toBe('');
  });

  test.each(nodes)('has code that prints the expected output on Node %s', async (_, node) => {
    const folder = await mkdtemp(join(workspace, '.readme-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'program.mjs'), await bundleProgram(programs[name]));
    const { stdout, stderr } = await run(node, [join(folder, 'program.mjs')], { env: {} });
    expect(stderr).toBe('');
    for (const line of prints[name]) expect(stdout).toMatch(line);
  });
});
