import type { Socket } from 'node:net';
import { chunkOf, type Exchange, headOf } from './exchange.ts';
import type { Got } from './expected-responses.ts';
import { faults } from './faults.ts';
import type { LinkFault } from './link.ts';

/** What a link carries. */
export type LinkKind = 'TLS' | 'a WebSocket' | 'events' | 'a token' | 'a health check';

export interface LinkCase {
  readonly kind: LinkKind;
  readonly name: string;
  readonly fault: LinkFault;
  readonly expected: Got;
}

/** Answers the first bytes of a connection, which is not read any further. */
function onFirstBytes(act: (socket: Socket) => void): LinkFault {
  return {
    connect(socket) {
      socket.once('data', () => act(socket));
      return 'done';
    },
  };
}

const silent: LinkFault = { connect: () => 'done' };
/** The header of a TLS record with a handshake message of 16 KiB. */
const recordHead = Buffer.from('1603034000', 'hex');

const tls: readonly (readonly [name: string, fault: LinkFault, expected: Got])[] = [
  ['never answers the handshake', silent, '504'],
  ['stalls in the handshake', onFirstBytes((socket) => socket.write(recordHead)), '504'],
  [
    'drips the handshake',
    onFirstBytes((socket) => {
      socket.write(recordHead);
      const timer = setInterval(() => socket.write('\0'), 20);
      socket.once('close', () => clearInterval(timer));
    }),
    '504',
  ],
  ['closes in the handshake', onFirstBytes((socket) => socket.end()), '502'],
  ['resets in the handshake', onFirstBytes((socket) => socket.resetAndDestroy()), '502'],
  ['answers the handshake in plain text', onFirstBytes((socket) => socket.write('HTTP/1.1 400 X\r\n\r\n')), '502'],
  ['has a certificate of another authority', { certificate: 'other-server' }, '502'],
  ['has an expired certificate', { certificate: 'expired' }, '502'],
  ['has a certificate of another host', { certificate: 'misnamed' }, '502'],
  ['never responds', faults['never responds'], '504'],
  ['drips the head', faults['drips the head'], '504'],
  ['closes in the head', faults['closes in the head'], '502'],
  ['resets on a request', faults['resets on a request'], '502'],
  ['sends garbage', faults['sends garbage'], '502'],
  ['resets in a long body', faults['resets in a long body'], '200, cut off'],
  ['truncates a long body', faults['truncates a long body'], '200, cut off'],
  ['truncates chunks', faults['truncates chunks'], '200, cut off'],
  [
    'closes in a body without an alert',
    {
      respond({ write, later, socket }) {
        write(`${headOf()}${chunkOf('[')}`);
        later(50, () => socket.destroy());
      },
    },
    '200, cut off',
  ],
];

const switches = (fields: string): LinkFault => ({
  respond: ({ write }) => write(`HTTP/1.1 101 Switching Protocols\r\n${fields}\r\n\r\n`),
});

const webSocket: typeof tls = [
  ['accepts the connection and never answers', silent, '504'],
  ['never responds', faults['never responds'], '504'],
  ['drips the head', faults['drips the head'], '504'],
  ['sends hints without end', faults['sends hints without end'], '504'],
  ['closes in the head', faults['closes in the head'], '502'],
  ['closes without a response', faults['closes without a response'], '502'],
  ['resets on a request', faults['resets on a request'], '502'],
  ['sends garbage', faults['sends garbage'], '502'],
  ['sends a head without end', faults['sends a head without end'], '502'],
  ['sends an ordinary response', { respond: ({ respond }) => respond('[]') }, '200'],
  ['resets in an ordinary response', faults['resets in a long body'], '200, cut off'],
  [
    'accepts another key',
    switches('Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA='),
    '502',
  ],
  ['accepts another protocol', switches('Connection: Upgrade\r\nUpgrade: h2c'), '502'],
  ['switches without a protocol', switches('X-A: b'), '502'],
];

const beginEvents = ({ write }: Pick<Exchange, 'write'>, events = '') =>
  write(`${headOf({ headers: { 'Content-Type': 'text/event-stream' } })}${events === '' ? '' : chunkOf(events)}`);

/** Whether a fault is silence in a stream, which ends after the limit of silence. */
export function isSilence({ kind, name }: LinkCase): boolean {
  return kind === 'events' && name.startsWith('is silent');
}

const events: typeof tls = [
  ['never responds', faults['never responds'], '504'],
  ['drips the head', faults['drips the head'], '504'],
  ['is silent before its first event', { respond: (exchange) => beginEvents(exchange) }, '200, cut off'],
  ['is silent after an event', { respond: (exchange) => beginEvents(exchange, 'data: 1\n\n') }, '200, cut off'],
  [
    'resets the stream',
    {
      respond(exchange) {
        beginEvents(exchange, 'data: 1\n\n');
        exchange.later(50, exchange.reset);
      },
    },
    '200, cut off',
  ],
  [
    'closes within an event',
    {
      respond(exchange) {
        beginEvents(exchange, 'data: 1');
        exchange.end();
      },
    },
    '200, cut off',
  ],
  [
    'sends comments without end',
    {
      respond(exchange) {
        beginEvents(exchange);
        exchange.every(100, () => exchange.write(chunkOf(':\n\n')));
      },
    },
    '200, until the client leaves',
  ],
];

const token: typeof tls = [
  ['never answers', silent, '504'],
  ['never responds', faults['never responds'], '504'],
  ['drips the head', faults['drips the head'], '504'],
  ['drips a short body', faults['drips a short body'], '504'],
  ['closes in the head', faults['closes in the head'], '502'],
  ['resets on a request', faults['resets on a request'], '502'],
  ['sends garbage', faults['sends garbage'], '502'],
  ['truncates a short body', faults['truncates a short body'], '502'],
  ['truncates JSON', faults['truncates JSON'], '502'],
  ['sends an empty body', faults['sends an empty body'], '502'],
  ['sends without end', faults['sends without end'], '502'],
  ['fails', faults.fails, '502'],
  ['rejects the credentials', { respond: ({ respond }) => respond('{}', { status: 401 }) }, '502'],
  ['sends no token', { respond: ({ respond }) => respond('{"token_type":"bearer"}') }, '502'],
];

/** The path of health checks. */
export const checkPath = '/up';

const onlyIn = (path: string, { respond }: LinkFault): LinkFault => ({
  respond: (exchange, sound) => (exchange.request.path === path ? respond?.(exchange, sound) : sound()),
});

/** Requests get the response of the other target, or of the target itself when it fails only in its check. */
const healthCheck: typeof tls = [
  ['never answers', silent, '200'],
  ['never responds', faults['never responds'], '200'],
  ['resets on connect', faults['resets on connect'], '200'],
  ['never responds to its check', onlyIn(checkPath, faults['never responds']), '200'],
  ['drips the head of its check', onlyIn(checkPath, faults['drips the head']), '200'],
];

const kinds: Readonly<Record<LinkKind, typeof tls>> = {
  TLS: tls,
  'a WebSocket': webSocket,
  events,
  'a token': token,
  'a health check': healthCheck,
};

export const linkCases: readonly LinkCase[] = Object.entries(kinds).flatMap(([kind, cases]) =>
  cases.map(([name, fault, expected]) => ({ kind: kind as LinkKind, name, fault, expected })),
);
