import http from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { listen } from './listen.ts';

const servers: http.Server[] = [];
function createServer() {
  const server = http.createServer((_req, res) => res.end('ok'));
  servers.push(server);
  return server;
}
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

describe('listen', () => {
  it('resolves with the address once connections are accepted', async () => {
    const { address, port } = await listen(createServer(), { host: '127.0.0.1', port: 0 });
    expect(address).toBe('127.0.0.1');
    expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('ok');
  });

  it('reports a port in use in one line, with the setting of the port', async () => {
    const { port } = await listen(createServer(), { host: '127.0.0.1', port: 0 });
    const second = listen(createServer(), { host: '127.0.0.1', port, portSetting: 'ROSTERGATE_PORT' });
    await expect(second).rejects.toMatchObject({
      code: 'EADDRINUSE',
      message: `Port ${port} on 127.0.0.1 is in use. Stop the process that uses it, or set ROSTERGATE_PORT to another.`,
    });
  });

  it.each([
    ['EACCES', 'Set the port to 1024 or above'],
    ['EADDRNOTAVAIL', 'no address 127.0.0.1'],
    ['ENOTFOUND', 'host 127.0.0.1'],
    ['EMFILE', 'Cannot listen on 127.0.0.1, port 80 (EMFILE).'],
  ])('names the remedy for %s', async (code, text) => {
    const server = createServer();
    const listeners = server.listenerCount('listening');
    server.listen = () => {
      queueMicrotask(() => server.emit('error', Object.assign(new Error('listen'), { code })));
      return server;
    };
    await expect(listen(server, { host: '127.0.0.1', port: 80 })).rejects.toThrow(text);
    expect(server.listenerCount('listening')).toBe(listeners);
  });
});
