import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { canReadProcesses, cpuUsOfTree, memoryOfTree } from './process-tree.ts';

const busy = `
const ended = Date.now() + 50;
while (Date.now() < ended);
process.stdout.write('done');
process.stdin.resume().once('end', () => process.exit());
`;
const parent = `
const options = { stdio: ['pipe', 'inherit', 'inherit'] };
require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(busy)}], options);
`;

it.runIf(canReadProcesses())('counts CPU and memory of child processes', async () => {
  const child = spawn(process.execPath, ['-e', parent], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const [cpuUs, bytes] = [cpuUsOfTree(child.pid as number), memoryOfTree(child.pid as number)];
  const ended = once(child, 'exit');
  child.kill();
  await ended;
  expect(cpuUs).toBeGreaterThan(30_000);
  expect(bytes).toBeGreaterThan(40e6);
});
