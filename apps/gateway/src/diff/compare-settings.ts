import type { Settings } from '@rostergate/endpoints';
import type { Configuration } from '../configuration.ts';
import type { Note } from './change.ts';
import { minus } from './minus.ts';

/** Settings that callers feel, beside those that change the contract. */
export function compareSettings(old: Configuration, next: Configuration, note: Note): void {
  const [before, now] = [old.settings, next.settings];
  for (const { name, read } of limits) {
    const [from, to] = [read(before), read(now)];
    if (from === to) continue;
    note(to < from ? 'setting-tightened' : 'setting-relaxed', name, `${textOf(from)} became ${textOf(to)}`);
  }
  const [origins, nowOrigins] = [new Set(before.cors_origins), new Set(now.cors_origins)];
  for (const origin of minus(origins, nowOrigins)) {
    note('setting-tightened', 'cors_origins', `pages of ${origin} cannot call any more`);
  }
  for (const origin of minus(nowOrigins, origins))
    note('setting-relaxed', 'cors_origins', `pages of ${origin} can call now`);
  const [was, is] = [old, next].map(({ tls }) => (tls === undefined ? 'http' : 'https'));
  if (was !== is) note('protocol-changed', 'tls', `${was} became ${is}`);
  const address = ({ host, port }: Readonly<Settings>) => `${host}:${port}`;
  if (address(before) !== address(now)) note('address-changed', 'port', `${address(before)} became ${address(now)}`);
}

/** The lower, the less is let through. */
const limits: readonly { readonly name: string; readonly read: (settings: Readonly<Settings>) => number }[] = [
  {
    name: 'rate_limit_per_minute',
    read: (settings) => (settings.rate_limit_enabled ? settings.rate_limit_per_minute : Number.POSITIVE_INFINITY),
  },
  {
    name: 'rate_limit_per_minute_authenticated',
    read: (settings) =>
      settings.rate_limit_enabled ? settings.rate_limit_per_minute_authenticated : Number.POSITIVE_INFINITY,
  },
  { name: 'body_bytes_max', read: (settings) => settings.body_bytes_max },
  { name: 'cors_credentials', read: (settings) => Number(settings.cors_credentials) },
];

const textOf = (value: number): string => (value === Number.POSITIVE_INFINITY ? 'no limit' : String(value));
