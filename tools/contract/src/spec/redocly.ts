import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../run-program.ts';
import { installedFile, rootFolder, ToolFailure } from '../workspace.ts';

/** Lints a contract by redocly.yaml. Throws with all findings. `entry` is relative to the root. */
export async function lintContract(entry: string): Promise<void> {
  await redocly('lint', entry, '--format=stylish');
}

/** Lints a document that is made of bundles. Its paths need not use all of its components, and an OData service ends in a slash. */
export async function lintDocument(document: unknown): Promise<void> {
  await withFolder(async (folder) => {
    const path = join(folder, 'openapi.json');
    writeFileSync(path, JSON.stringify(document, null, 2));
    await redocly('lint', path, '--format=stylish', ...skippedRules);
  });
}

const skippedRules = ['--skip-rule=no-unused-components', '--skip-rule=no-path-trailing-slash'];

/** Returns a contract as one document, where references to files are components. */
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
    // Disables usage reports and update checks.
    env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' },
  });
  // Removes the advice to ignore findings.
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
