import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type RunningServer, startServer } from '../start-server.ts';

/** Keys of the gateways that these tests start, by their scopes. */
export const keys = { ops: 'browser-key-of-ops', reader: 'browser-key-of-reader', expired: 'browser-key-of-old' };

export interface PagesGatewayOptions {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly endpoints?: readonly object[];
  /** The entries of the keys file. */
  readonly keys?: readonly object[];
  /** The path that responds 200 once it is ready. */
  readonly readyPath?: string;
}

/** Starts a gateway for the tests of a file or group; returns its URL. */
export function usePagesGateway(options: PagesGatewayOptions = {}): () => string {
  let folder: string | undefined;
  let server: RunningServer | undefined;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rostergate-pages-'));
    const files = {
      'settings.json': {
        rate_limit_per_minute: 100_000,
        rate_limit_per_minute_authenticated: 100_000,
        ...options.settings,
      },
      'endpoints.json': { endpoints: options.endpoints ?? shopEndpoints },
      'keys.json': { keys: options.keys ?? keyEntries },
    };
    for (const [name, content] of Object.entries(files)) {
      await writeFile(join(folder, name), JSON.stringify(content), { mode: 0o600 });
    }
    server = await startServer({
      name: 'gateway',
      port: 0,
      env: { ROSTERGATE_SETTINGS_FILE: join(folder, 'settings.json') },
      ...(options.readyPath === undefined ? {} : { readyPath: options.readyPath }),
    });
  });
  afterAll(async () => {
    await server?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });
  return () => {
    if (server === undefined) throw new Error('The gateway is not up yet.');
    return server.url;
  };
}

const entryOf = (name: keyof typeof keys, scopes: readonly string[], expires_at: string | null = null) => ({
  name,
  owner: 'team-a',
  prefix: 'browser',
  sha256: createHash('sha256').update(keys[name]).digest('hex'),
  scopes,
  created_at: '2026-01-01T00:00:00.000Z',
  expires_at,
  revoked_at: null,
});

const keyEntries = [
  entryOf('ops', ['orders.read', 'orders.write']),
  entryOf('reader', []),
  entryOf('expired', [], '2026-01-02T00:00:00.000Z'),
];

/** Endpoints for every kind of row: several groups, open and keyed, with scopes, limits, parameters and bodies. */
export const shopEndpoints: readonly object[] = [
  { path: '/api/crypto', service: 'crypto', summary: 'Price of a cryptocurrency', tags: ['crypto'] },
  {
    path: '/api/crypto/{symbol}',
    service: 'crypto',
    requires_auth: true,
    summary: 'Price of a cryptocurrency, for holders of a key',
    tags: ['crypto'],
  },
  {
    path: '/api/hello',
    service: 'static',
    summary: 'A fixed greeting',
    tags: ['demo'],
    parameters: { answer: { message: 'Hello from the gateway.' } },
  },
  { path: '/api/echo', method: 'POST', service: 'echo', requires_auth: true, summary: 'What you sent', tags: ['demo'] },
  {
    path: '/shop/v2/orders',
    service: 'static',
    summary: 'Orders, newest first',
    requires_auth: true,
    scopes: ['orders.read'],
    tags: ['orders'],
    parameters: { answer: [] },
  },
  {
    path: '/shop/v2/orders',
    method: 'POST',
    service: 'echo',
    summary: 'Place an order',
    requires_auth: true,
    scopes: ['orders.read', 'orders.write'],
    rate_limit_per_minute: 1200,
    tags: ['orders'],
  },
  { path: '/plain', service: 'static', summary: 'Without a tag', parameters: { answer: 1 } },
];
