import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest';
import type { AtEnd } from '../at-end.ts';
import { type ProxyKeysFile, type ProxyProcess, startProxy } from '../proxy-process.ts';
import { type DeadEnd, startDeadEnd } from './dead-end.ts';

/** A proxy of its own in front of an upstream that shows what has reached it. */
export interface DeadEndProxy extends ProxyProcess {
  readonly upstream: DeadEnd;
}

export const accounts = {
  admin: { email: 'admin@up.example', password: 'password-of-the-admin', company_key: 'C-1', admin: true },
  reader: { email: 'reader@up.example', password: 'password-of-the-reader', company_key: 'C-1' },
};

/** The key of that name, as its holder has it. */
export const keyOf = (name: string) => `acceptance-key-of-${name}`;

/** What the keys file says of it. */
export const entryOf = (name: string, more: object = {}) => ({
  ...{ name, owner: name, account: 'admin', ...more },
  sha256: createHash('sha256').update(keyOf(name)).digest('hex'),
});

export interface DeadEndOptions {
  readonly accounts?: ProxyKeysFile['accounts'];
  readonly keys: readonly object[];
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** What the upstream takes, by e-mail; a test may change it. */
  readonly passwords?: Readonly<Record<string, string>>;
}

/** Starts one for a test. */
export async function startDeadEndProxy(options: DeadEndOptions, atEnd?: AtEnd): Promise<DeadEndProxy> {
  const { keys, settings, passwords = passwordsOf(accounts), ...more } = options;
  const upstream = await startDeadEnd(passwords);
  (atEnd ?? onTestFinished)(upstream.stop);
  const keysFile = { accounts: options.accounts ?? accounts, keys };
  const proxy = await startProxy({ ...more, keysFile, settings: { ...settings, upstream_url: upstream.url } }, atEnd);
  return { ...proxy, upstream };
}

/** One for all tests of a file; what its upstream has seen is forgotten before each. */
export function useDeadEndProxy(options: DeadEndOptions): () => DeadEndProxy {
  const ends: (() => Promise<unknown>)[] = [];
  let proxy: DeadEndProxy;
  beforeAll(async () => {
    proxy = await startDeadEndProxy(options, (end) => ends.unshift(end));
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
