import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PortalVisitor } from '../portal-visitor.ts';
import type { ServerName } from '../server-names.ts';
import { outsideEnv } from '../start-server.ts';
import type { RunningServers } from '../start-servers.ts';
import { configurationFolder } from './install-schemathesis.ts';
import { type Findings, readReport } from './read-report.ts';

export interface RunSchemathesisOptions {
  /** The path of `st`. */
  readonly command: string;
  readonly server: ServerName;
  readonly servers: RunningServers;
  /** The session of {@link signInToPortal}: schemathesis resolves all variables of its configuration for each server. */
  readonly portalSession: Readonly<Record<string, string>>;
  /** Further arguments of `st run`. */
  readonly more: readonly string[];
  /** The deadline of the run. */
  readonly timeMaxMs: number;
}

/**
 * Runs all phases and checks against one server; `output` is its printed text.
 * @throws if it exits without a report, or at the deadline.
 */
export async function runSchemathesis(
  options: RunSchemathesisOptions,
): Promise<Findings & { readonly output: string }> {
  const { command, server, servers, portalSession, more, timeMaxMs } = options;
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-schemathesis-'));
  const report = join(folder, 'report.json');
  const url = `${servers.urls[server]}/openapi.json`;
  const child = spawn(command, ['run', url, '--no-color', '--report', 'json', '--report-json-path', report, ...more], {
    cwd: configurationFolder,
    env: {
      ...outsideEnv(),
      ...servers.credentials,
      ...portalSession,
      PYTHONDONTWRITEBYTECODE: '1',
      HYPOTHESIS_STORAGE_DIRECTORY: folder,
      COLUMNS: '120',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: Math.ceil(Math.max(1, timeMaxMs)),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  try {
    const [exitCode] = (await once(child, 'close')) as [number | null];
    const shown = `Its output:\n${output}`;
    if (exitCode === null)
      throw new Error(`schemathesis was stopped after ${Math.round(timeMaxMs / 1000)} s. ${shown}`);
    const text = await readFile(report, 'utf8').catch(() => {
      throw new Error(`schemathesis exited with ${exitCode} and no report. ${shown}`);
    });
    const findings = readReport(JSON.parse(text));
    const isUnexplained = exitCode !== 0 && findings.failures.length === 0;
    return isUnexplained
      ? { ...findings, failures: [`schemathesis ended with ${exitCode}`], output }
      : { ...findings, output };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Signs in to the developer portal of a gateway and creates a key there. Returns what schemathesis.toml needs for its operations. */
export async function signInToPortal(url: string): Promise<Readonly<Record<string, string>>> {
  const visitor = new PortalVisitor(url);
  await visitor.signIn('developer');
  const { name } = await visitor.createKey('laptop');
  const cookies = [...(visitor.cookies.get(url) ?? [])];
  return { PORTAL_ORIGIN: url, PORTAL_COOKIE: cookies.map((pair) => pair.join('=')).join('; '), PORTAL_KEY: name };
}
