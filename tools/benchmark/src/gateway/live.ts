import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Say } from '../compare-servers.ts';
import { type Figure, percentile, ratioFigure, toFigure } from '../figure.ts';
import { startBareRelay, startLiveUpstream } from '../peers.ts';
import { type ServerProcess, stop } from '../server-process.ts';
import { startGateway } from './gateway.ts';

const rounds = 5;
const messagesPerRound = 20_000;
const talkers = 50;
/** Fewer than the files that a process may open, of which a WebSocket takes two. */
const idleSockets = 9_000;
const streams = 1_000;
const eventsEveryMs = 500;
/** 100 bytes, masked with zeros. */
const message = Buffer.concat([Buffer.from([0x82, 0x80 | 100, 0, 0, 0, 0]), Buffer.alloc(100, 0x61)]);

function startLiveGateway(upstreamUrl: string): Promise<ServerProcess> {
  const targets = [upstreamUrl];
  return startGateway({
    endpoints: [
      { path: '/live', service: 'http', upstream: { targets, websocket: { connections_max: 20_000, idle_ms: 0 } } },
      { path: '/events', service: 'http', upstream: { targets, stream_idle_ms: 0 } },
      { path: '/plain', service: 'http', upstream: { targets } },
    ],
    settings: { rate_limit_enabled: false },
  });
}

/** Measures the cost of a message, and the memory of an open WebSocket. */
export async function measureWebSockets(say: Say): Promise<readonly Figure[]> {
  await using servers = new AsyncDisposableStack();
  const upstream = servers.adopt(await startLiveUpstream(1_000), stop);
  const gateway = servers.adopt(await startLiveGateway(upstream.url), stop);
  const relay = servers.adopt(await startBareRelay(upstream.url), stop);
  const ratios: number[] = [];
  let costUs = 0;
  for (let round = 0; round <= rounds; round++) {
    const [relayed, ours] = [await costOfMessages(relay), await costOfMessages(gateway)];
    // The first round warms up.
    if (round === 0) continue;
    ratios.push(ours / relayed);
    costUs = ours;
    say(`a message costs ${ours.toFixed(1)} µs, relayed ${relayed.toFixed(1)} µs`);
  }
  const before = await restingMemory(gateway);
  const sockets: Socket[] = [];
  for (let n = 0; n < idleSockets; n += 100) {
    sockets.push(...(await Promise.all(Array.from({ length: 100 }, () => openWebSocket(gateway.url)))));
  }
  const perSocket = ((await restingMemory(gateway)) - before) / idleSockets / 1_000;
  for (const socket of sockets) socket.destroy();
  return [
    ratioFigure({ name: 'gateway: WebSocket message, CPU to a relay of bare sockets', max: 1.5, unit: '×' }, ratios),
    toFigure({ name: 'gateway: WebSocket message, CPU', max: 100, unit: 'µs' }, costUs),
    toFigure({ name: `gateway: memory of an open WebSocket, of ${idleSockets}`, max: 25, unit: 'kB' }, perSocket),
  ];
}

/** Measures the cost of an event of 1,000 streams, and the response time of other clients beside them. */
export async function measureStreams(say: Say): Promise<readonly Figure[]> {
  await using servers = new AsyncDisposableStack();
  const upstream = servers.adopt(await startLiveUpstream(eventsEveryMs), stop);
  const gateway = servers.adopt(await startLiveGateway(upstream.url), stop);
  const relay = servers.adopt(await startBareRelay(upstream.url), stop);
  const alone = await plainTimes(gateway.url);
  const costs = [];
  for (const server of [relay, gateway]) {
    const open = await Promise.all(Array.from({ length: streams }, () => openStream(server.url)));
    await wait(2_000);
    const [cpuBefore, eventsBefore] = [await server.ask<number>('cpu'), events];
    await wait(6_000);
    costs.push(((await server.ask<number>('cpu')) - cpuBefore) / (events - eventsBefore));
    if (server === relay) for (const one of open) one.destroy();
  }
  const [relayed, ours] = costs as [number, number];
  say(`an event costs ${ours.toFixed(1)} µs, relayed ${relayed.toFixed(1)} µs`);
  return [
    ratioFigure({ name: 'gateway: event of a stream, CPU to a relay of bare sockets', max: 3, unit: '×' }, [
      ours / relayed,
    ]),
    toFigure(
      { name: `gateway: p99 of other clients beside ${streams} streams`, max: 20, unit: 'ms' },
      percentile(await plainTimes(gateway.url), 99),
      `${percentile(alone, 99).toFixed(1)} ms without streams`,
    ),
  ];
}

/** Returns the times of requests of another client, one after the other on a kept-alive connection. */
async function plainTimes(url: string): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  for (let n = 0; n < 2_000; n++) {
    const startedMs = performance.now();
    const [response] = await once(get(`${url}/plain`, { agent }), 'response');
    await once(response.resume(), 'end');
    times.push(performance.now() - startedMs);
  }
  agent.destroy();
  return times;
}

let events = 0;

async function openStream(url: string): Promise<Socket> {
  const socket = await open(url, 'GET /events HTTP/1.1\r\nHost: x\r\n\r\n');
  return socket.on('data', () => events++);
}

/** Returns the CPU microseconds of a message there and back. */
async function costOfMessages(server: ServerProcess): Promise<number> {
  const sockets = await Promise.all(Array.from({ length: talkers }, () => openWebSocket(server.url)));
  const before = await server.ask<number>('cpu');
  await Promise.all(sockets.map((socket) => talk(socket, messagesPerRound / talkers)));
  const costUs = ((await server.ask<number>('cpu')) - before) / messagesPerRound;
  for (const socket of sockets) socket.destroy();
  return costUs;
}

/** Sends messages one after the other; each is returned. */
function talk(socket: Socket, count: number): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    socket.on('data', (chunk) => {
      bytes += chunk.length;
      // The response has no mask.
      if (bytes < message.length - 4) return;
      bytes -= message.length - 4;
      if (--count === 0) resolve();
      else socket.write(message);
    });
    socket.write(message);
  });
}

function openWebSocket(url: string): Promise<Socket> {
  const fields = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n';
  return open(url, `GET /live HTTP/1.1\r\nHost: x\r\n${fields}Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`);
}

/** Sends a request, and returns its connection when the head of the response has arrived. */
async function open(url: string, request: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.setNoDelay(true).write(request);
  const [head] = (await once(socket, 'data')) as [Buffer];
  if (!/^HTTP\/1\.1 (?:101|200) /.test(head.toString())) throw new Error(head.toString());
  return socket;
}

/** Returns the resident memory after garbage collections. */
async function restingMemory(server: ServerProcess): Promise<number> {
  for (let i = 0; i < 3; i++) {
    await server.ask('collect');
    await wait(500);
  }
  return server.ask<number>('memory');
}
