import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { chunkOf, type Exchange, headOf } from './exchange.ts';
import { createRoster } from './sound-responses.ts';

/** A fault of an upstream; members that are absent behave correctly. */
export interface Fault {
  /** Called for each connection; returns `done` if its requests must not be read. */
  readonly connect?: (socket: Socket) => 'done' | undefined;
  /** Replaces the response to a login; `sound` sends the correct one. */
  readonly login?: (exchange: Exchange, sound: () => void) => void;
  /** Replaces the response to any other request. */
  readonly respond?: (exchange: Exchange, sound: () => void) => void;
}

const people = '[{"StaffKey":"S-1"}]';
/** Longer than the bytes that a proxy may buffer before it sends the first one. */
const roster = createRoster(400_000);
const half = roster.slice(0, roster.length / 2);

/** The faults by their visible behaviour. Endless faults last until the connection closes. */
export const faults = {
  'responds late': { respond: ({ later }, sound) => later(300, sound) },
  'never responds': { respond: () => undefined },
  'drips the head': {
    respond({ every, write }) {
      const head = headOf({ headers: { 'X-Padding': 'x'.repeat(2_000) } }, people.length);
      let at = 0;
      every(20, () => write(head.slice(at, ++at)));
    },
  },
  'drips a short body': {
    respond({ every, write }) {
      write(headOf({}, 1_000));
      every(50, () => write(' '));
    },
  },
  'drips a long body': {
    respond({ every, write }) {
      write(`${headOf({}, 1_000_000)}[`);
      every(50, () => write(' '));
    },
  },
  'drips without a length': {
    respond({ every, write }) {
      write(headOf() + chunkOf('['));
      every(50, () => write(chunkOf(' ')));
    },
  },
  'stalls in a short body': { respond: ({ write }) => write(headOf({}, 1_000) + people) },
  'stalls in a long body': { respond: ({ write }) => write(headOf({}, roster.length) + half) },
  'stalls before the body': { respond: ({ write }) => write(headOf({}, 1_000)) },
  'resets on connect': {
    connect(socket) {
      socket.resetAndDestroy();
      return 'done';
    },
  },
  'resets on a request': { respond: ({ reset }) => reset() },
  'resets in a long body': {
    respond({ write, later, reset }) {
      write(headOf({}, roster.length) + half);
      later(50, reset);
    },
  },
  'closes without a response': { respond: ({ end }) => end() },
  'closes in the head': {
    respond({ write, end }) {
      write('HTTP/1.1 200 OK\r\nContent-Ty');
      end();
    },
  },
  'truncates a short body': {
    respond({ write, end }) {
      write(headOf({}, 1_000) + people);
      end();
    },
  },
  'truncates a long body': {
    respond({ write, end }) {
      write(headOf({}, roster.length) + half);
      end();
    },
  },
  'truncates chunks': {
    respond({ write, end }) {
      write(headOf() + chunkOf(half));
      end();
    },
  },
  'truncates JSON': { respond: ({ respond }) => respond(people.slice(0, -2)) },
  'truncates a long JSON': { respond: ({ respond }) => respond(half) },
  'sends an empty body': { respond: ({ respond }) => respond('') },
  'sends garbage': { respond: ({ write }) => write('SSH-2.0-OpenSSH_9.6\r\n\r\n') },
  'sends noise as JSON': { respond: ({ respond }) => respond('\u0000\u0001\ufffd'.repeat(50)) },
  'sends TLS': { respond: ({ write }) => write(Buffer.from('15030300020228', 'hex')) },
  'sends a page': {
    respond: ({ respond }) => respond('<html>Sign in</html>', { headers: { 'Content-Type': 'text/html' } }),
  },
  'sends no content type': { respond: ({ respond }) => respond(people, { headers: { 'Content-Type': null } }) },
  'compresses unasked': {
    respond({ write }) {
      const bytes = gzipSync(people);
      write(headOf({ headers: { 'Content-Encoding': 'gzip' } }, bytes.length));
      write(bytes);
    },
  },
  'sends a head of 64 KiB': {
    respond: ({ respond }) => respond(people, { headers: { 'X-Padding': 'x'.repeat(65_536) } }),
  },
  'sends a head without end': {
    respond({ write, every }) {
      write('HTTP/1.1 200 OK\r\n');
      // Writes much at a time, so that even a slow machine exceeds the limit before the deadline.
      every(1, () => write(`X-Padding: ${'x'.repeat(500)}\r\n`.repeat(20)));
    },
  },
  'sends 2,000 headers': {
    respond: ({ respond }) =>
      respond(people, { headers: Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`X-${i}`, 'x'])) }),
  },
  'sends two lengths': {
    respond: ({ write }) =>
      write(headOf({ headers: { 'Transfer-Encoding': 'chunked' } }, people.length) + chunkOf(people) + chunkOf('')),
  },
  'sends status 799': { respond: ({ respond }) => respond(people, { status: 799 }) },
  'sends a status of letters': { respond: ({ respond }) => respond(people, { status: 'abc' }) },
  'sends hints without end': {
    respond: ({ every, write }) => every(5, () => write('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n')),
  },
  'sends hints first': {
    respond({ write }, sound) {
      write('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n');
      sound();
    },
  },
  'continues unasked': {
    respond({ write }, sound) {
      write('HTTP/1.1 100 Continue\r\n\r\n');
      sound();
    },
  },
  'sends a second response unasked': {
    respond({ write }, sound) {
      sound();
      write(`${headOf({}, 24)}[{"StaffKey":"smuggled"}]`);
    },
  },
  'sends without end': {
    respond({ write, socket }) {
      const piece = chunkOf(`${roster.slice(1, -1)},`);
      write(`${headOf()}${chunkOf('[')}`);
      const fill = () => {
        while (socket.writable && socket.write(piece));
      };
      socket.on('drain', fill);
      fill();
    },
  },
  redirects: {
    respond: ({ respond }) =>
      respond('', { status: 302, headers: { Location: '/v2/elsewhere', 'Content-Type': null } }),
  },
  'rejects every token': { respond: ({ respond }) => respond('{"code":"token_expired"}', { status: 401 }) },
  'is over its limit for a second': {
    respond: ({ respond }) => respond('{}', { status: 429, headers: { 'Retry-After': '1' } }),
  },
  'is over its limit for an hour': {
    respond: ({ respond }) => respond('{}', { status: 429, headers: { 'Retry-After': '3600' } }),
  },
  'is over its limit': { respond: ({ respond }) => respond('{}', { status: 429 }) },
  fails: { respond: ({ respond }) => respond('{"stack":"at db.internal:5432"}', { status: 500 }) },
  'is overloaded': { respond: ({ respond }) => respond('{}', { status: 503, headers: { 'Retry-After': '1' } }) },
  'breaks the contract': { respond: ({ respond }) => respond('[{"StaffKey":"S-1","Fte":"canary-value"}]') },
  'never responds to a login': { login: () => undefined },
  'fails a login': { login: ({ respond }) => respond('{"stack":"at db.internal:5432"}', { status: 500 }) },
  'rejects a login': { login: ({ respond }) => respond('{"error":"access_denied"}', { status: 401 }) },
  'logs in without a token': { login: ({ respond }) => respond('{"token_type":"bearer"}') },
  'drips a login': {
    login({ every, write }) {
      write(headOf({}, 1_000));
      every(50, () => write(' '));
    },
  },
  'logs in with a token of line breaks': {
    login: ({ respond }) => respond('{"access_token":"a\\r\\nX-Canary: 1","expires_in":"3600"}'),
  },
} as const satisfies Readonly<Record<string, Fault>>;

/** Rejects every request before reading its body and closes; the unread bytes reset the connection. */
export const rejectsEarly: Fault = {
  connect(socket) {
    socket.once('data', () => {
      socket.write('HTTP/1.1 413 X\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}', () => socket.destroy());
    });
    return 'done';
  },
};

export type FaultName = keyof typeof faults;
