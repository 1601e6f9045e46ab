import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { root } from './workspace.mjs';

it.each([
  ['rostergate', 'settings.json', ['validate']],
  ['scheduling', 'scheduling.json', ['accounts', 'list']],
  ['staff-proxy', 'staff-proxy.json', ['validate']],
])('npm run %s reads %s in the current folder', async (script, file, args) => {
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-folder-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, file), '{ "of_this_folder": true }');
  const command = promisify(execFile)('npm', ['run', '-s', '--prefix', root, script, '--', ...args], { cwd: folder });
  await expect(command).rejects.toMatchObject({ stderr: expect.stringMatching(/of_this_folder: .*no such/) });
});
