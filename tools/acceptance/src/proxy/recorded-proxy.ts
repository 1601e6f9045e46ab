import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest';
// The test helper of its package; tools may import files that packages do not export.
import { json, startStandIn } from '../../../../apps/staff-proxy/test/stand-in-upstream.ts';
import type { AtEnd } from '../at-end.ts';
import { type ProxyKeysFile, type ProxyProcess, startProxy } from '../proxy-process.ts';

/** A proxy in front of an upstream that accepts logins and responds to every other request with a conflict. */
export interface RecordedProxy extends ProxyProcess {
  readonly upstream: {
    readonly url: string;
    /** The e-mails of the logins, in order. */
    readonly logins: readonly string[];
    /** All other requests except health checks, in order, as `GET /v2/staffmember?…`. */
    readonly arrived: readonly string[];
    /** Clears the record. */
    clear(): void;
  };
}

/** The response of the proxy when a request has reached the upstream. */
export const arrival = { status: 409, code: 'conflict' };

export const accounts = {
  admin: { email: 'admin@up.example', password: 'password-of-the-admin', company_key: 'C-1', admin: true },
  reader: { email: 'reader@up.example', password: 'password-of-the-reader', company_key: 'C-1' },
};

/** Returns the key of a name. */
export const keyOf = (name: string) => `acceptance-key-of-${name}`;

/** Returns its entry in the keys file. */
export const entryOf = (name: string, more: object = {}) => ({
  ...{ name, owner: name, account: 'admin', ...more },
  sha256: createHash('sha256').update(keyOf(name)).digest('hex'),
});

export interface RecordedProxyOptions {
  readonly accounts?: ProxyKeysFile['accounts'];
  readonly keys: readonly object[];
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The passwords that the upstream accepts, by e-mail; a test may change them. */
  readonly passwords?: Readonly<Record<string, string>>;
}

/** Starts a proxy for a test. */
export async function startRecordedProxy(options: RecordedProxyOptions, atEnd?: AtEnd): Promise<RecordedProxy> {
  const { keys, settings, passwords = passwordsOf(accounts), ...more } = options;
  const { url, seen, logins, stop } = await startConflicting(passwords);
  (atEnd ?? onTestFinished)(stop);
  const keysFile = { accounts: options.accounts ?? accounts, keys };
  const proxy = await startProxy({ ...more, keysFile, settings: { ...settings, upstream_url: url } }, atEnd);
  const upstream = {
    url,
    get logins() {
      return logins.map(({ body }) => String(new URLSearchParams(body).get('email')));
    },
    get arrived() {
      return seen.map(({ method, url }) => `${method} ${url}`);
    },
    clear() {
      logins.length = 0;
      seen.length = 0;
    },
  };
  return { ...proxy, upstream };
}

async function startConflicting(passwords: Readonly<Record<string, string>>) {
  const standIn = await startStandIn(passwords);
  standIn.otherwise = json(409, { code: 'conflict', detail: 'It got here.' });
  return standIn;
}

/** Starts a proxy for all tests of a file; the record of its upstream is cleared before each test. */
export function useRecordedProxy(options: RecordedProxyOptions): () => RecordedProxy {
  const ends: (() => Promise<unknown>)[] = [];
  let proxy: RecordedProxy;
  beforeAll(async () => {
    proxy = await startRecordedProxy(options, (end) => ends.unshift(end));
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });
  beforeEach(() => proxy.upstream.clear());
  return () => proxy;
}

function passwordsOf(all: Readonly<Record<string, { readonly email: string; readonly password: string }>>) {
  return Object.fromEntries(Object.values(all).map(({ email, password }) => [email, password]));
}
