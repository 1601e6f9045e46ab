import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
// The test helper of its package; tools may import files that packages do not export.
import { type StandIn, startStandIn } from '../../../../apps/staff-proxy/test/stand-in-upstream.ts';
import { type ProxyOptions, type ProxyProcess, startProxy } from '../proxy-process.ts';
import { shareProxy } from '../shared-proxy.ts';
import { whenTestEnds } from '../when-test-ends.ts';

/** The keys of every proxy of these tests, unless its keys file differs. */
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
  /** The upstream, which the test controls. */
  readonly upstream: StandIn;
  /** Writes a file of its folder in place, valid or not. */
  write(path: string, content: string | object): Promise<void>;
  /** Writes its first settings with changes. */
  writeSettings(more: Readonly<Record<string, unknown>>): Promise<void>;
}

/** Starts an upstream with both accounts; stopped when the test ends. */
export async function startUpstream(atEnd = whenTestEnds): Promise<StandIn> {
  const upstream = await startStandIn({ 'admin@up.test': passwords.admin, 'reader@up.test': passwords.reader });
  atEnd(upstream.stop);
  return upstream;
}

/** Starts a proxy in front of a new upstream; both stop when the test ends. */
export async function startStandInProxy(
  options: Partial<ProxyOptions> = {},
  atEnd = whenTestEnds,
): Promise<StandInProxy> {
  const upstream = await startUpstream(atEnd);
  const settings = { upstream_url: upstream.url, rate_limit_enabled: false, ...options.settings };
  const proxy = await startProxy({ keysFile: usualKeysFile, ...options, settings }, atEnd);
  return toStandInProxy(proxy, upstream, settings);
}

/** Returns a proxy for all tests of a file, in front of a new upstream for each test. */
export function shareStandInProxy(options: Partial<ProxyOptions> = {}) {
  const { serve, reject } = shareProxy({ keysFile: usualKeysFile, ...options });
  return {
    reject,
    async serve(more: ProxyOptions['settings'] = {}): Promise<StandInProxy> {
      const upstream = await startUpstream();
      const settings = { upstream_url: upstream.url, rate_limit_enabled: false, reload_enabled: false, ...more };
      const proxy = toStandInProxy(await serve(settings), upstream, settings);
      const writeSettings = async (changes: Readonly<Record<string, unknown>>) => {
        await proxy.writeSettings(changes);
        proxy.child.kill('SIGHUP');
      };
      return { ...proxy, writeSettings };
    },
  };
}

function toStandInProxy(proxy: ProxyProcess, upstream: StandIn, settings: object): StandInProxy {
  const write = (path: string, content: string | object) =>
    writeFile(join(proxy.folder, path), typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  return { ...proxy, upstream, write, writeSettings: (more) => write('staff-proxy.json', { ...settings, ...more }) };
}
