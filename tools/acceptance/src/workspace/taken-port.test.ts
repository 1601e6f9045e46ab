import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { pickFreePorts } from '../../../workspace/free-ports.ts';
import { serverNames } from '../server-names.ts';
import { portVariables } from '../start-server.ts';
import { runCommand, startScript } from './start-command.ts';

let taken: Server;
let port: string;
beforeAll(async () => {
  taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  port = String((taken.address() as AddressInfo).port);
});
afterAll(() => taken.close());

test.each(['GATEWAY_PORT', 'STAFF_PROXY_PORT', 'SCHEDULING_PORT'])(
  'the start command names a taken port and %s in one line',
  async (variable) => {
    const [gateway, proxy, scheduling] = (await pickFreePorts(3)).map(String) as [string, string, string];
    const free = { GATEWAY_PORT: gateway, STAFF_PROXY_PORT: proxy, SCHEDULING_PORT: scheduling };
    const command = runCommand(startScript, { ...free, [variable]: port });
    expect(await command.ended).not.toBe(0);
    const lines = command.output().trimEnd().split('\n');
    expect(lines).toEqual([expect.stringMatching(new RegExp(`^Port ${port} is taken: .*${variable}`))]);
  },
);

test.each(serverNames)('%s names a taken port and its setting in one line', async (name) => {
  const { env } = inject('servers');
  const setting = portVariables[name];
  const folder = fileURLToPath(new URL(`../../../../apps/${name}`, import.meta.url));
  const own = { ...env, ROSTERGATE_SCHEDULING_DATABASE_FILE: ':memory:', [setting]: port };
  const command = runCommand('src/main.ts', own, folder, name === 'gateway' ? ['serve'] : []);
  expect(await command.ended).toBe(3);
  const lines = command.output().trimEnd().split('\n');
  expect(lines).toEqual([expect.stringMatching(new RegExp(`${port}.*${setting}`))]);
});

test.each([
  ['gateway', ['serve']],
  ['gateway', ['serve', '--workers', '2']],
  ['staff-proxy', []],
  ['scheduling', []],
] as const)('%s %j names --port when that gave the taken port', async (name, args) => {
  const { env } = inject('servers');
  const folder = fileURLToPath(new URL(`../../../../apps/${name}`, import.meta.url));
  const own = { ...env, ROSTERGATE_SCHEDULING_DATABASE_FILE: ':memory:', [portVariables[name]]: '1' };
  const command = runCommand('src/main.ts', own, folder, [...args, '--port', port]);
  expect(await command.ended).toBe(3);
  expect(command.output()).toContain(
    `Port ${port} on 127.0.0.1 is in use. Stop the process that uses it, or set --port to`,
  );
});
