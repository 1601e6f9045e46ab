import { readFileSync } from 'node:fs';
import { ConfigError } from '@rostergate/config';
import fc from 'fast-check';
import { loadConfiguration } from '../../../../../apps/gateway/src/configuration-reader.ts';
import { describeBuiltInServices } from '../../../../../apps/gateway/src/services/index.ts';
import { readKeysFile } from '../../../../../apps/gateway/src/sources/read-keys.ts';
import { parseAccountsFile } from '../../../../../apps/scheduling/src/accounts/accounts-file.ts';
import { readKeysFile as readProxyKeysFile } from '../../../../../apps/staff-proxy/src/keys/keys-file.ts';
import { brokenJsonFiles } from './broken-texts.ts';

/** The results of many broken texts. */
export interface Fuzzed {
  readonly name: string;
  readonly count: number;
  /** Accepted texts; none would mean that the input is too random to reach far. */
  readonly accepted: number;
  readonly faults: readonly string[];
  /** CPU time of this thread, which other programs do not change. */
  readonly longestMs: number;
}

interface FileKind {
  readonly name: string;
  readonly texts: fc.Arbitrary<string>;
  readonly read: (text: string) => unknown;
}

const demo = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../../../apps/gateway/config/${name}`, import.meta.url), 'utf8'));
const digest = (letter: string) => letter.repeat(64);
const own = {
  endpoints: [
    { path: '/api/a/{symbol}', service: 'crypto', rate_limit: { per_minute: 5 }, tags: ['a'], deprecated: true },
    { path: '/api/b', method: 'POST', service: 'echo', requires_auth: true, api_keys: 'one-good-key,another-good-key' },
    { path: '/api/c', service: 'static', parameters: { answer: [1, { a: null }] }, cache: { ttl_ms: 1_000 } },
  ],
};
const load = (settings: string, endpoints: string) =>
  loadConfiguration({
    settingsFile: '/gateway/settings.json',
    env: {},
    readText: (path) => ({ '/gateway/settings.json': settings, '/gateway/endpoints.json': endpoints })[path],
    createServices: describeBuiltInServices,
  });

const gatewayKeys = {
  keys: [
    { name: 'ops', owner: 'team', sha256: digest('a'), scopes: ['admin'], created_at: '2026-01-01T00:00:00Z' },
    { name: 'old', owner: 'team', sha256: digest('b'), expires_at: null, revoked_at: '2026-02-01T00:00:00Z' },
  ],
};
const proxyKeys = {
  accounts: {
    admin: { email: 'a@example.test', password: 'p', company_key: 'C-1', admin: true },
    reader: { email: 'r@example.test', password_env: 'STAFF_PASSWORD', company_key: 'C-1' },
  },
  keys: [
    { name: 'ops', owner: 'team', sha256: digest('c'), account: 'admin', operations: { deny: ['setStaffManager'] } },
  ],
};
const accounts = [
  { email: 'a@example.test', password: `scrypt:16384:8:1:${'A'.repeat(22)}:${'A'.repeat(43)}`, company_key: 'C-1' },
];
const places = {
  env: { STAFF_PASSWORD: 'p' },
  readText: async () => undefined,
  upstreamForm: 'contract',
  plans: undefined,
} as const;

const createKinds = (): readonly FileKind[] => [
  {
    name: 'settings.json',
    texts: brokenJsonFiles([
      demo('settings.json'),
      {
        port: 1,
        api_keys: 'a-good-key',
        trusted_proxies: ['10.0.0.0/8'],
        cors_origins: ['*'],
        log_level: 'info',
        workers: 2,
      },
    ]),
    read: (text) => load(text, '{"endpoints":[]}'),
  },
  {
    name: 'endpoints.json',
    texts: brokenJsonFiles([demo('endpoints.json'), own]),
    read: (text) => load('{}', text),
  },
  {
    name: 'keys files',
    texts: brokenJsonFiles([gatewayKeys, proxyKeys, accounts]),
    read: async (text) => {
      const readings = [
        async () => readKeysFile(text, 'keys.json'),
        () => readProxyKeysFile(text, 'proxy-keys.json', places),
        async () => parseAccountsFile(text, 'accounts.json'),
      ];
      const outcomes = await Promise.allSettled(readings.map((read) => read()));
      const failures = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
      const defect = failures.find((error) => !(error instanceof ConfigError));
      if (defect !== undefined || failures.length === readings.length) throw defect ?? failures[0];
    },
  },
];

const batch = 500;

/** Reads broken files of each kind; each must be accepted or rejected with a ConfigError. */
export async function fuzzFiles(count: number, seed: number, say: (text: string) => void): Promise<Fuzzed[]> {
  const all: Fuzzed[] = [];
  for (const { name, texts, read } of createKinds()) {
    let [accepted, longestMs] = [0, 0];
    const faults: string[] = [];
    for (let done = 0; done < count; done += batch) {
      for (const text of fc.sample(texts, { numRuns: Math.min(batch, count - done), seed: seed + done })) {
        const outcome = await measure(read, text);
        if (outcome.error === undefined) accepted++;
        else if (!(outcome.error instanceof ConfigError))
          faults.push(`${outcome.error}: ${JSON.stringify(text).slice(0, 300)}`);
        // Repeats slow reads, because a garbage collection does not happen twice.
        let ms = outcome.ms;
        for (let again = 0; again < 3 && ms > Math.max(longestMs, 20); again++)
          ms = Math.min(ms, (await measure(read, text)).ms);
        longestMs = Math.max(longestMs, ms);
      }
    }
    say(`${name}: ${count} files, ${accepted} accepted, slowest ${longestMs.toFixed(1)} ms`);
    all.push({ name, count, accepted, faults, longestMs });
  }
  return all;
}

async function measure(
  read: FileKind['read'],
  text: string,
): Promise<{ readonly error?: unknown; readonly ms: number }> {
  const before = process.threadCpuUsage();
  let error: unknown;
  try {
    await read(text);
  } catch (thrown) {
    error = thrown ?? new Error('nothing was thrown');
  }
  const { user, system } = process.threadCpuUsage(before);
  return { error, ms: (user + system) / 1_000 };
}
