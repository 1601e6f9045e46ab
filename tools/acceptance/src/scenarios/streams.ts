import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { gatewayCount, type Subject } from './subject.ts';

/** An event stream or a WebSocket as its client sees it. Times are of `performance.now()`. */
export interface SeenStream {
  readonly kind: 'events' | 'messages';
  readonly gateway: number;
  readonly key: string;
  openedMs: number;
  /** Infinity while it is open. */
  endedMs: number;
  /** The numbers received, which must be 0, 1, 2 and so on. */
  received: number;
  /** The first number that was not the next one. */
  gap?: string;
}

export interface Streams {
  readonly seen: readonly SeenStream[];
  stop(): void;
}

/** Opens an event stream and a WebSocket at each gateway for each key; resolves when they are open. */
export async function openStreams(subject: Subject, keys: readonly string[]): Promise<Streams> {
  const seen: SeenStream[] = [];
  const ends: (() => void)[] = [];
  const create = (kind: SeenStream['kind'], gateway: number, key: string): SeenStream => {
    const stream = { kind, gateway, key, openedMs: performance.now(), endedMs: Number.POSITIVE_INFINITY, received: 0 };
    seen.push(stream);
    return stream;
  };
  for (let gateway = 0; gateway < gatewayCount; gateway++) {
    for (const key of keys) {
      ends.push(await openEvents(subject.url(gateway), key, create('events', gateway, key)));
      ends.push(await openMessages(subject.url(gateway), key, create('messages', gateway, key)));
    }
  }
  return {
    seen,
    stop() {
      for (const end of ends) end();
    },
  };
}

function take(stream: SeenStream, number: number): void {
  if (number !== stream.received) stream.gap ??= `${number} instead of ${stream.received}`;
  stream.received++;
}

const note = (stream: SeenStream) => () => {
  if (stream.endedMs === Number.POSITIVE_INFINITY) stream.endedMs = performance.now();
};

async function openEvents(url: string, key: string, stream: SeenStream): Promise<() => void> {
  const request = get(`${url}/events`, { headers: { 'X-API-Key': key }, agent: false });
  request.on('error', note(stream));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`The event stream opens with ${response.statusCode}.`);
  let rest = '';
  response.setEncoding('utf8').on('data', (text: string) => {
    rest += text;
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      take(stream, Number(rest.slice('data: '.length, end)));
      rest = rest.slice(end + 2);
    }
  });
  response.on('close', note(stream));
  response.on('error', note(stream));
  return () => request.destroy();
}

/** Sends a number every 100 ms and expects it back. */
async function openMessages(url: string, key: string, stream: SeenStream): Promise<() => void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/live`, { headers: { 'X-API-Key': key } });
  await once(socket, 'open');
  let sent = 0;
  const timer = setInterval(() => socket.readyState === WebSocket.OPEN && socket.send(String(sent++)), 100);
  socket.on('message', (message) => take(stream, Number(String(message))));
  socket.on('error', note(stream));
  socket.on('close', () => {
    clearInterval(timer);
    note(stream)();
  });
  return () => {
    clearInterval(timer);
    socket.terminate();
  };
}
