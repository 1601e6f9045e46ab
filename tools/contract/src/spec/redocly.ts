import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../run-program.ts';
import { ToolFailure } from '../tool-failure.ts';
import { installedFile, rootFolder } from '../workspace.ts';

/** Fails, with every finding, unless the contract passes the rules of redocly.yaml. `entry` is relative to the root. */
export async function lintContract(entry: string): Promise<void> {
  await redocly('lint', entry, '--format=stylish');
}

/** The same for a document made of bundles, whose components may be there for other readers than its paths. */
export async function lintDocument(document: unknown): Promise<void> {
  await withFolder(async (folder) => {
    const path = join(folder, 'openapi.json');
    writeFileSync(path, JSON.stringify(document, null, 2));
    await redocly('lint', path, '--format=stylish', '--skip-rule=no-unused-components');
  });
}

/** The contract in one document: references to files become components, in the order of the source. */
export function bundleContract(entry: string): Promise<unknown> {
  return withFolder(async (folder) => {
    const path = join(folder, 'openapi.json');
    await redocly('bundle', entry, '--output', path, '--ext=json');
    return JSON.parse(readFileSync(path, 'utf8'));
  });
}

async function redocly(command: string, ...args: string[]): Promise<void> {
  const cli = installedFile('@redocly/cli', 'bin/cli.js');
  const { exitCode, output } = await runProgram(process.execPath, [cli, command, ...args, '--config=redocly.yaml'], {
    cwd: rootFolder,
    // Neither usage data nor questions about newer releases leave the machine.
    env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' },
  });
  // Redocly's advice to ignore findings is not ours.
  if (exitCode !== 0) throw new ToolFailure(output.replace(/^run `redocly lint --generate-ignore-file`.*/m, '').trim());
}

async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'contract-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
