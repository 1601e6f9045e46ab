import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Writable } from 'node:stream';
import type { LoadKeys } from '@rostergate/access/tokens';
import type { Service, Settings } from '@rostergate/endpoints';
import { listen } from '@rostergate/server/lifecycle';
import type { UpstreamRegistry } from '@rostergate/upstream';
import { onTestFinished } from 'vitest';
import { type App, createApp } from '../src/app.ts';
import { loadConfiguration } from '../src/configuration-reader.ts';
import { describeBuiltInServices } from '../src/services/index.ts';
import type { Configuration } from '../src/sources/read-sources.ts';

export const goodKey = 'test-key-of-the-gateway';

export interface StartOptions {
  readonly settings?: Partial<Omit<Settings, 'jwt_issuers' | 'mcp' | 'portal'>> & {
    readonly jwt_issuers?: readonly object[];
    readonly mcp?: object | undefined;
    readonly portal?: object | undefined;
  };
  /** By default those of the fixture. */
  readonly endpoints?: readonly object[];
  readonly services?: readonly Service[];
  /** Further files beside endpoints.json, by name. */
  readonly files?: Readonly<Record<string, string>>;
  readonly clock?: () => number;
  readonly steadyClock?: () => number;
  readonly upstreams?: UpstreamRegistry;
  readonly loadKeys?: LoadKeys;
}

export interface StartedGateway {
  readonly app: App;
  readonly url: string;
  readonly log: () => string;
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  readonly configure: (options: StartOptions) => Promise<Configuration>;
}

/** Starts a gateway on a free port, by default without limits; it is closed when the test ends. */
export async function startGateway(options: StartOptions = {}): Promise<StartedGateway> {
  const lines: string[] = [];
  const logDestination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const app = createApp(await configure(options), {
    version: '1.2.3',
    logDestination,
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    ...(options.steadyClock === undefined ? {} : { steadyClock: options.steadyClock }),
    ...(options.upstreams === undefined ? {} : { upstreams: options.upstreams }),
    ...(options.loadKeys === undefined ? {} : { loadKeys: options.loadKeys }),
  });
  const { port } = await listen(app.server, { host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${port}`;
  onTestFinished(async () => {
    app.server.close();
    app.beginDrain();
    app.server.closeAllConnections();
    if (app.server.listening) await once(app.server, 'close');
  });
  return { app, url, log: () => lines.join(''), fetch: (path, init) => fetch(url + path, init), configure };
}

export function configure({
  settings = {},
  endpoints,
  services = describeBuiltInServices(),
  files: more = {},
}: StartOptions) {
  const demo = readFileSync(new URL('./fixtures/endpoints.json', import.meta.url), 'utf8');
  const files = new Map([
    ['/config/settings.json', JSON.stringify({ api_keys: goodKey, rate_limit_enabled: false, ...settings })],
    ['/config/endpoints.json', endpoints === undefined ? demo : JSON.stringify({ endpoints })],
    ...Object.entries(more).map(([name, text]) => [`/config/${name}`, text] as const),
  ]);
  return loadConfiguration({
    settingsFile: '/config/settings.json',
    env: {},
    readText: (path) => files.get(resolve(path)),
    createServices: () => services,
  });
}

/** Headers with the valid key. */
export const withKey = { headers: { 'X-API-Key': goodKey } };

/** Returns status, media type and code of an error response. */
export async function problemOf(response: Response): Promise<Record<string, unknown>> {
  const { status, headers } = response;
  const { type: _, title: __, ...body } = (await response.json()) as Record<string, unknown>;
  return {
    answered: status,
    mediaType: headers.get('content-type'),
    requestId: headers.get('x-request-id') === body.request_id,
    ...body,
  };
}
