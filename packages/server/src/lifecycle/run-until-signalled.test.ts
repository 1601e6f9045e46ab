import { EventEmitter, once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { tlsPair } from '../../test/tls-pairs.ts';
import { listen } from './listen.ts';
import { type DrainReport, type RunOptions, runUntilSignalled } from './run-until-signalled.ts';

type Handle = (req: http.IncomingMessage, res: http.ServerResponse) => void;

async function start(handle: Handle, options: Partial<RunOptions> = {}) {
  const server = http.createServer(handle);
  const signals = new EventEmitter();
  const address = await listen(server, { host: '127.0.0.1', port: 0 });
  const run = runUntilSignalled(server, { drainMs: 60_000, quietMs: 1, signals, ...options });
  return { server, signals, run, address };
}

/** Opens a raw connection, for requests that no client sends. */
async function open({ port }: AddressInfo) {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => {});
  await once(socket, 'connect');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const until = async (part: string) => {
    while (!text.includes(part)) await once(socket, 'data');
  };
  const ask = (path: string) => socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  return { ask, until, closed, text: () => text, destroy: () => socket.destroy() };
}

const ok: Handle = (_req, res) => res.end('whole');

/** Starts to drain a server that has an idle connection, on which it has sent one response. */
async function startDraining(options: Partial<RunOptions>) {
  const { signals, run, address } = await start(ok, options);
  const client = await open(address);
  client.ask('/');
  await client.until('whole');
  signals.emit('SIGTERM', 'SIGTERM');
  await new Promise(setImmediate);
  return { run, address, client };
}

describe('runUntilSignalled', () => {
  it('lets a request in flight end, with Connection: close, and then resolves', async () => {
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<http.ServerResponse>();
    const { signals, run, address } = await start((_req, res) => arrive(res));
    const client = await open(address);
    client.ask('/');
    const res = await arrived;
    signals.emit('SIGTERM', 'SIGTERM');
    await new Promise(setImmediate);
    res.end('whole');
    expect(await run).toEqual({ signal: 'SIGTERM', cutConnections: 0 });
    await client.closed;
    expect(client.text()).toMatch(/^HTTP\/1\.1 200 [\s\S]*Connection: close[\s\S]*whole/);
  });

  it('ends the connection of a response whose head was already sent', async () => {
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<http.ServerResponse>();
    const { signals, run, address } = await start((_req, res) => {
      res.write('first half');
      arrive(res);
    });
    const client = await open(address);
    client.ask('/');
    const res = await arrived;
    await client.until('first half');
    signals.emit('SIGINT', 'SIGINT');
    await new Promise(setImmediate);
    res.end('second half');
    expect(await run).toEqual({ signal: 'SIGINT', cutConnections: 0 });
    await client.closed;
    expect(client.text()).toContain('second half');
  });

  it('serves a request on an open connection while it drains, and closes it', async () => {
    const { run, client } = await startDraining({ quietMs: 60_000 });
    client.ask('/');
    await Promise.all([run, client.closed]);
    expect(client.text().match(/whole/g)).toHaveLength(2);
    expect(client.text()).toMatch(/keep-alive[\s\S]*Connection: close/);
  });

  it('serves a request that arrived in the quiet time, although the process was too busy to read it', async () => {
    const { run, client } = await startDraining({ quietMs: 100 });
    client.ask('/');
    const busyUntilMs = performance.now() + 300;
    while (performance.now() < busyUntilMs);
    await Promise.all([run, client.closed]);
    expect(client.text().match(/whole/g)).toHaveLength(2);
  });

  it('counts only connections with requests as cut when the quiet time is as long as the drain', async () => {
    const { signals, run, address } = await start((_req, res) => void (res.req.url === '/' && res.end('whole')), {
      ...{ drainMs: 300, quietMs: 300 },
    });
    const [idle, busy] = [await open(address), await open(address)];
    idle.ask('/');
    await idle.until('whole');
    busy.ask('/never');
    await new Promise(setImmediate);
    signals.emit('SIGTERM', 'SIGTERM');
    expect(await run).toEqual({ signal: 'SIGTERM', cutConnections: 1 });
    await Promise.all([idle.closed, busy.closed]);
  });

  it('accepts no new connection', async () => {
    const { run, address, client } = await startDraining({ quietMs: 60_000 });
    await expect(fetch(`http://127.0.0.1:${address.port}`)).rejects.toThrow();
    client.destroy();
    await run;
  });

  it('closes idle connections, those without any request included', async () => {
    const { signals, run, address } = await start(ok);
    const used = await open(address);
    used.ask('/');
    await used.until('whole');
    const unused = await open(address);
    signals.emit('SIGTERM', 'SIGTERM');
    await Promise.all([used.closed, unused.closed]);
    expect(await run).toEqual({ signal: 'SIGTERM', cutConnections: 0 });
  });

  it('closes connections at the deadline, and reports how many', async () => {
    const { promise: bothArrived, resolve: arrive } = Promise.withResolvers<void>();
    let count = 0;
    const { signals, run, address } = await start(() => ++count === 2 && arrive(), { drainMs: 20 });
    const clients = [await open(address), await open(address)];
    for (const client of clients) client.ask('/');
    await bothArrived;
    signals.emit('SIGTERM', 'SIGTERM');
    expect(await run).toEqual({ signal: 'SIGTERM', cutConnections: 2 });
    await Promise.all(clients.map((client) => client.closed));
  });

  it('closes connections at once on a second signal, and reports it', async () => {
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    const cuts: unknown[] = [];
    const onCut = (cut: DrainReport) => cuts.push(cut);
    const { signals, run, address } = await start(() => arrive(), { drainMs: 60_000, onCut });
    const client = await open(address);
    client.ask('/');
    await arrived;
    signals.emit('SIGINT', 'SIGINT');
    await new Promise(setImmediate);
    signals.emit('SIGTERM', 'SIGTERM');
    expect(await run).toEqual({ signal: 'SIGINT', cutConnections: 1 });
    expect(cuts).toEqual([{ signal: 'SIGTERM', cutConnections: 1 }]);
  });

  it('calls beforeClose before it stops accepting connections', async () => {
    const seen: string[] = [];
    const { signals, run, server } = await start(ok, {
      beforeClose: async () => {
        seen.push(server.listening ? 'listening' : 'closed');
      },
    });
    signals.emit('SIGTERM', 'SIGTERM');
    await run;
    expect([seen, server.listening]).toEqual([['listening'], false]);
  });

  it('removes its signal listeners', async () => {
    const { signals, run } = await start(ok);
    signals.emit('SIGTERM', 'SIGTERM');
    await run;
    expect(signals.eventNames()).toEqual([]);
  });

  it('lets requests over TLS end, and closes unfinished handshakes at the deadline', async () => {
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<http.ServerResponse>();
    const { certificate, key } = tlsPair('first');
    const server = https.createServer({ cert: certificate, key }, (_req, res) => arrive(res));
    const signals = new EventEmitter();
    const { port } = await listen(server, { host: '127.0.0.1', port: 0 });
    const run = runUntilSignalled(server, { drainMs: 2_000, quietMs: 1, signals });
    const idle = connect(port, '127.0.0.1').on('error', () => {});
    await once(server, 'connection');
    const response = once(https.get({ port, host: '127.0.0.1', ca: certificate, servername: 'localhost' }), 'response');
    const res = await arrived;
    signals.emit('SIGTERM', 'SIGTERM');
    await new Promise(setImmediate);
    res.end('whole');
    const [message] = (await response) as [http.IncomingMessage];
    expect(message.headers.connection).toBe('close');
    message.resume();
    expect(await run).toEqual({ signal: 'SIGTERM', cutConnections: 1 });
    idle.destroy();
  });
});
