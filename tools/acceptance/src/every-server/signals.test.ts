import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { pollUntil } from '../poll-until.ts';
import { type ServerName, serverNames } from '../server-names.ts';
import type { ServerProcess } from '../server-process.ts';
import { serverPrograms } from '../server-programs.ts';
import { spawnGateway } from '../spawn-gateway.ts';
import { spawnProxy } from '../spawn-proxy.ts';
import { spawnScheduling } from '../spawn-scheduling.ts';
import { whenTestEnds } from '../when-test-ends.ts';

/** Longer than a busy machine takes to the second signal. */
const drain_ms = 30_000;

const start: Readonly<Record<ServerName, () => Promise<ServerProcess & { readonly url: string }>>> = {
  gateway: () => spawnGateway({ settings: { drain_ms } }, whenTestEnds),
  'staff-proxy': () => spawnProxy({ keysFile: { accounts: {} }, settings: { drain_ms } }, whenTestEnds),
  async scheduling() {
    const env = { ROSTERGATE_SCHEDULING_DRAIN_MS: String(drain_ms) };
    const server = await spawnScheduling(env, [], serverPrograms.scheduling.file);
    whenTestEnds(server.stop);
    return server;
  },
};

describe.each(serverNames)('%s', (name) => {
  test('SIGUSR1 does not open the inspector', async () => {
    const server = await start[name]();
    server.child.kill('SIGUSR1');
    expect((await fetch(`${server.url}/health/live`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
    expect(server.output()).not.toContain('Debugger listening');
  });

  test('a second SIGTERM cuts requests in flight and is logged', async () => {
    const server = await start[name]();
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    whenTestEnds(async () => socket.destroy());
    // An incomplete request keeps its connection busy.
    await new Promise<void>((sent) => socket.write('GET /health HTTP/1.1\r\nHost: x\r\n', () => sent()));
    await fetch(`${server.url}/health/live`);
    server.child.kill('SIGTERM');
    const isClosing = () =>
      fetch(`${server.url}/health/live`, { headers: { Connection: 'close' } }).then(
        () => false,
        () => true,
      );
    await pollUntil(isClosing, { withinMs: 10_000, everyMs: 10, describe: server.output });
    server.child.kill('SIGTERM');
    const line = await server.logged(({ msg }) => msg?.startsWith('second signal') === true);
    expect(line).toMatchObject({ level: 'warn', signal: 'SIGTERM', cut_connections: 1 });
    const hasEnded = () => server.child.exitCode !== null;
    await pollUntil(hasEnded, { withinMs: 10_000, everyMs: 10, describe: server.output });
    expect(server.child.exitCode).toBe(0);
  });
});
