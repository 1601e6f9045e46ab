import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../run-program.ts';
import { ToolFailure } from '../tool-failure.ts';
import { installedFile, rootFolder } from '../workspace.ts';

/** Fails, with every finding, unless the contract passes the rules of redocly.yaml. `entry` is relative to the root. */
export async function lintContract(entry: string): Promise<void> {
  const { exitCode, output } = await redocly('lint', entry, '--format=stylish');
  if (exitCode !== 0) throw new ToolFailure(output.trim());
}

/** The contract in one document: references to files become components, in the order of the source. */
export async function bundleContract(entry: string): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  try {
    const path = join(folder, 'openapi.json');
    const { exitCode, output } = await redocly('bundle', entry, '--output', path, '--ext=json');
    if (exitCode !== 0) throw new ToolFailure(output.trim());
    return JSON.parse(readFileSync(path, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function redocly(command: string, ...args: string[]) {
  return runProgram(
    process.execPath,
    [installedFile('@redocly/cli', 'bin/cli.js'), command, ...args, '--config=redocly.yaml'],
    // Neither usage data nor questions about newer releases leave the machine.
    { cwd: rootFolder, env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' } },
  );
}
