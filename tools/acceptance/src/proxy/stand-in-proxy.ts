import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
// Its own package tries it against the same stand-in, and tools may look into any room.
import { type StandIn, startStandIn } from '../../../../apps/staff-proxy/test/stand-in-upstream.ts';
import { type ProxyOptions, type ProxyProcess, startProxy } from '../proxy-process.ts';

/** Keys that every proxy of these tests knows, unless its keys file says otherwise. */
export const keys = { admin: 'canary-acceptance-admin', reader: 'canary-acceptance-reader' } as const;
export const passwords = { admin: 'canary-admin-password', reader: 'canary-reader-password' } as const;
export const withKey = { headers: { 'X-API-Key': keys.reader } };
export const withAdminKey = { headers: { 'X-API-Key': keys.admin } };

export const digestOf = (key: string): string => createHash('sha256').update(key).digest('hex');

/** The accounts and keys of a proxy, for a test to change. */
export const usualKeysFile = {
  accounts: {
    admin: { email: 'admin@up.test', password: passwords.admin, company_key: 'C-1', admin: true },
    reader: { email: 'reader@up.test', password: passwords.reader, company_key: 'C-1' },
  },
  keys: [
    { name: 'ops', owner: 'team', sha256: digestOf(keys.admin), account: 'admin' },
    { name: 'desk', owner: 'desk', sha256: digestOf(keys.reader), account: 'reader' },
  ],
};

export interface StandInProxy extends ProxyProcess {
  /** What stands behind it, and does as the test says. */
  readonly upstream: StandIn;
  /** Writes a file of its folder in place, good or bad. */
  write(path: string, content: string | object): Promise<void>;
  /** Writes the settings it was started with, changed so. */
  writeSettings(more: Readonly<Record<string, unknown>>): Promise<void>;
}

/** Starts an upstream that knows both accounts; ended when the test ends. */
export async function startUpstream(): Promise<StandIn> {
  const upstream = await startStandIn({ 'admin@up.test': passwords.admin, 'reader@up.test': passwords.reader });
  onTestFinished(upstream.stop);
  return upstream;
}

/** Starts a proxy of its own before an upstream of its own; both ended when the test ends. */
export async function startStandInProxy(options: Partial<ProxyOptions> = {}): Promise<StandInProxy> {
  const upstream = await startUpstream();
  const settings = { upstream_url: upstream.url, rate_limit_enabled: false, ...options.settings };
  const proxy = await startProxy({ keysFile: usualKeysFile, ...options, settings });
  const write = (path: string, content: string | object) =>
    writeFile(join(proxy.folder, path), typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  return { ...proxy, upstream, write, writeSettings: (more) => write('staff-proxy.json', { ...settings, ...more }) };
}
