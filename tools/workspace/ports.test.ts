import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { pickFreePort } from './free-ports.ts';
import { checkPortsFree, parsePorts } from './ports.mjs';

describe('parsePorts', () => {
  it('returns the default port of each server when nothing is set', () => {
    expect(parsePorts({ GATEWAY_PORT: '' })).toEqual({ gateway: 8000, 'staff-proxy': 8010, scheduling: 8020 });
  });

  it('reads each port from its variable', () => {
    const env = { GATEWAY_PORT: '1', STAFF_PROXY_PORT: '65535', SCHEDULING_PORT: '9000' };
    expect(parsePorts(env)).toEqual({ gateway: 1, 'staff-proxy': 65_535, scheduling: 9_000 });
  });

  it.each(['0', '65536', '-1', '8000x', '1e3', ' 8000'])('rejects "%s" and names the variable', (text) => {
    expect(() => parsePorts({ SCHEDULING_PORT: text })).toThrow('SCHEDULING_PORT');
  });

  it('rejects one port for two servers and names both variables', () => {
    expect(() => parsePorts({ STAFF_PROXY_PORT: '8000' })).toThrow(/GATEWAY_PORT and STAFF_PROXY_PORT are both 8000/);
  });
});

describe('checkPortsFree', () => {
  it('names a taken port and its variable in one line', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const free = await Promise.all([pickFreePort(), pickFreePort()]);
    const ports = { gateway: free[0], 'staff-proxy': port, scheduling: free[1] };
    await expect(checkPortsFree(ports)).rejects.toThrow(new RegExp(`^Port ${port} is taken: .*STAFF_PROXY_PORT.*$`));
    taken.close();
    await once(taken, 'close');
    await expect(checkPortsFree(ports)).resolves.toBeUndefined();
  });

  it('names all taken ports, one per line', async () => {
    const servers = [createServer(), createServer()].map((server) => server.listen(0, '127.0.0.1'));
    await Promise.all(servers.map((server) => once(server, 'listening')));
    const [gateway = 0, scheduling = 0] = servers.map((server) => (server.address() as AddressInfo).port);
    await expect(checkPortsFree({ gateway, 'staff-proxy': await pickFreePort(), scheduling })).rejects.toThrow(
      new RegExp(`^Port ${gateway} is taken: .*GATEWAY_PORT.*\\nPort ${scheduling} is taken: .*SCHEDULING_PORT.*$`),
    );
    for (const server of servers) server.close();
  });
});
