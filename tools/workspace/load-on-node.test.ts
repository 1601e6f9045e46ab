import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it.each(['start.cjs', 'test.cjs'])('%s rejects Node before 20 in one line', (command) => {
  const pretend = `Object.defineProperties(process, { versions: { value: { node: '18.20.8' } }, version: { value: 'v18.20.8' } });`;
  const code = `${pretend} require('./${command}')`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', code], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^Rostergate needs Node 20 or later; this is v18\.20\.8\..*\n$/);
});
