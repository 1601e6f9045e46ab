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
  readonly answer?: (exchange: Exchange, sound: () => void) => void;
}

const people = '[{"StaffKey":"S-1"}]';
/** Longer than the bytes that a proxy may buffer before it sends the first one. */
const roster = createRoster(400_000);
const half = roster.slice(0, roster.length / 2);

/** The faults by their visible behaviour. Endless faults last until the connection closes. */
export const faults = {
  'answers late': { answer: ({ later }, sound) => later(300, sound) },
  'never answers': { answer: () => undefined },
  'drips the head': {
    answer({ every, write }) {
      const head = headOf({ headers: { 'X-Padding': 'x'.repeat(2_000) } }, people.length);
      let at = 0;
      every(20, () => write(head.slice(at, ++at)));
    },
  },
  'drips a short body': {
    answer({ every, write }) {
      write(headOf({}, 1_000));
      every(50, () => write(' '));
    },
  },
  'drips a long body': {
    answer({ every, write }) {
      write(`${headOf({}, 1_000_000)}[`);
      every(50, () => write(' '));
    },
  },
  'drips without a length': {
    answer({ every, write }) {
      write(headOf() + chunkOf('['));
      every(50, () => write(chunkOf(' ')));
    },
  },
  'stalls in a short body': { answer: ({ write }) => write(headOf({}, 1_000) + people) },
  'stalls in a long body': { answer: ({ write }) => write(headOf({}, roster.length) + half) },
  'stalls before the body': { answer: ({ write }) => write(headOf({}, 1_000)) },
  'resets on connect': {
    connect(socket) {
      socket.resetAndDestroy();
      return 'done';
    },
  },
  'resets on a request': { answer: ({ reset }) => reset() },
  'resets in a long body': {
    answer({ write, later, reset }) {
      write(headOf({}, roster.length) + half);
      later(50, reset);
    },
  },
  'closes without a response': { answer: ({ end }) => end() },
  'closes in the head': {
    answer({ write, end }) {
      write('HTTP/1.1 200 OK\r\nContent-Ty');
      end();
    },
  },
  'truncates a short body': {
    answer({ write, end }) {
      write(headOf({}, 1_000) + people);
      end();
    },
  },
  'truncates a long body': {
    answer({ write, end }) {
      write(headOf({}, roster.length) + half);
      end();
    },
  },
  'truncates chunks': {
    answer({ write, end }) {
      write(headOf() + chunkOf(half));
      end();
    },
  },
  'truncates JSON': { answer: ({ answer }) => answer(people.slice(0, -2)) },
  'truncates a long JSON': { answer: ({ answer }) => answer(half) },
  'sends an empty body': { answer: ({ answer }) => answer('') },
  'sends garbage': { answer: ({ write }) => write('SSH-2.0-OpenSSH_9.6\r\n\r\n') },
  'sends noise as JSON': { answer: ({ answer }) => answer('\u0000\u0001\ufffd'.repeat(50)) },
  'sends TLS': { answer: ({ write }) => write(Buffer.from('15030300020228', 'hex')) },
  'sends a page': {
    answer: ({ answer }) => answer('<html>Sign in</html>', { headers: { 'Content-Type': 'text/html' } }),
  },
  'sends no content type': { answer: ({ answer }) => answer(people, { headers: { 'Content-Type': null } }) },
  'compresses unasked': {
    answer({ write }) {
      const bytes = gzipSync(people);
      write(headOf({ headers: { 'Content-Encoding': 'gzip' } }, bytes.length));
      write(bytes);
    },
  },
  'sends a head of 64 KiB': {
    answer: ({ answer }) => answer(people, { headers: { 'X-Padding': 'x'.repeat(65_536) } }),
  },
  'sends a head without end': {
    answer({ write, every }) {
      write('HTTP/1.1 200 OK\r\n');
      // Writes much at a time, so that even a slow machine exceeds the limit before the deadline.
      every(1, () => write(`X-Padding: ${'x'.repeat(500)}\r\n`.repeat(20)));
    },
  },
  'sends 2,000 headers': {
    answer: ({ answer }) =>
      answer(people, { headers: Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`X-${i}`, 'x'])) }),
  },
  'sends two lengths': {
    answer: ({ write }) =>
      write(headOf({ headers: { 'Transfer-Encoding': 'chunked' } }, people.length) + chunkOf(people) + chunkOf('')),
  },
  'sends status 799': { answer: ({ answer }) => answer(people, { status: 799 }) },
  'sends a status of letters': { answer: ({ answer }) => answer(people, { status: 'abc' }) },
  'sends hints without end': {
    answer: ({ every, write }) => every(5, () => write('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n')),
  },
  'sends hints first': {
    answer({ write }, sound) {
      write('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n');
      sound();
    },
  },
  'continues unasked': {
    answer({ write }, sound) {
      write('HTTP/1.1 100 Continue\r\n\r\n');
      sound();
    },
  },
  'sends a second answer unasked': {
    answer({ write }, sound) {
      sound();
      write(`${headOf({}, 24)}[{"StaffKey":"smuggled"}]`);
    },
  },
  'sends without end': {
    answer({ write, socket }) {
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
    answer: ({ answer }) => answer('', { status: 302, headers: { Location: '/v2/elsewhere', 'Content-Type': null } }),
  },
  'rejects every token': { answer: ({ answer }) => answer('{"code":"token_expired"}', { status: 401 }) },
  'is over its limit for a second': {
    answer: ({ answer }) => answer('{}', { status: 429, headers: { 'Retry-After': '1' } }),
  },
  'is over its limit for an hour': {
    answer: ({ answer }) => answer('{}', { status: 429, headers: { 'Retry-After': '3600' } }),
  },
  'is over its limit': { answer: ({ answer }) => answer('{}', { status: 429 }) },
  fails: { answer: ({ answer }) => answer('{"stack":"at db.internal:5432"}', { status: 500 }) },
  'is overloaded': { answer: ({ answer }) => answer('{}', { status: 503, headers: { 'Retry-After': '1' } }) },
  'breaks the contract': { answer: ({ answer }) => answer('[{"StaffKey":"S-1","Fte":"canary-value"}]') },
  'never answers a login': { login: () => undefined },
  'fails a login': { login: ({ answer }) => answer('{"stack":"at db.internal:5432"}', { status: 500 }) },
  'rejects a login': { login: ({ answer }) => answer('{"error":"access_denied"}', { status: 401 }) },
  'logs in without a token': { login: ({ answer }) => answer('{"token_type":"bearer"}') },
  'drips a login': {
    login({ every, write }) {
      write(headOf({}, 1_000));
      every(50, () => write(' '));
    },
  },
  'logs in with a token of line breaks': {
    login: ({ answer }) => answer('{"access_token":"a\\r\\nX-Canary: 1","expires_in":"3600"}'),
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
