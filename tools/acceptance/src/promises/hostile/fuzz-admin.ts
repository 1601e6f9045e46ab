import { document } from '@rostergate/admin-spec';
import { createDeclaredPaths, type OpenApiDocument, type Route } from '@rostergate/server';
import fc from 'fast-check';
import { keyDigest } from '../../../../../packages/access/src/keys/index.ts';
import { pickFreePort } from '../../../../workspace/free-ports.ts';
import type { AtEnd } from '../../at-end.ts';
import { createResponseCheck } from '../../response-check.ts';
import { spawnGateway } from '../../spawn-gateway.ts';
import { inLanes } from '../in-lanes.ts';
import { brokenJsonFiles, brokenTexts } from './broken-texts.ts';
import type { Fuzzed } from './fuzz-files.ts';
import type { Target } from './targets.ts';

const adminKey = 'hostile-key-of-the-administrator';
const entry = (name: string, key: string, scopes: readonly string[]) => ({
  ...{ name, owner: name, sha256: keyDigest(key), scopes },
});

/** Starts a gateway with an admin API. Returns the operation that creates a key. */
export async function startAdminApi(atEnd: AtEnd): Promise<Target> {
  const port = await pickFreePort();
  const keys = [entry('administrator', adminKey, ['admin']), entry('app', 'key-of-app', [])];
  const plans = { gold: { limits: [{ requests: 9, per: 'second' }] } };
  const files = { 'keys.json': JSON.stringify({ keys }) };
  await spawnGateway({ settings: { admin_port: port, plans, usage: {}, log_sample_every: 1_000_000 }, files }, atEnd);
  const url = `http://127.0.0.1:${port}`;
  return { server: 'gateway', url, method: 'POST', path: '/keys', headers: { 'X-API-Key': adminKey } };
}

const good = [
  ...['app', 'gold', 'hour', 'day', 'owner,status', '100', '1', ''],
  ...['2026-01-01T00:00:00Z', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '2026-01-01T23:59:60Z'],
];
const pieces = ['\0', '\r\n', '\ufffd', '😀', '%00', "'", '"', ';', ':', '|', '/', '..', '-', '+', '1e9', '__proto__'];
const text = fc.oneof(fc.constantFrom(...good), brokenTexts(fc.constantFrom(...good), pieces));
const body = brokenJsonFiles([
  { name: 'app', owner: 'app', scopes: ['admin'], plan: 'gold', expires_at: '2030-01-01T00:00:00Z', prefix: 'rg' },
  { scopes: [], plan: 'gold' },
  { overlap_seconds: 60, expires_at: '2030-01-01T00:00:00Z', prefix: 'rg' },
]);

interface AdminRequest {
  readonly method: string;
  readonly target: string;
  readonly body: string | undefined;
}

function requestOf({ method, path, parameters, requestBody }: Route): fc.Arbitrary<AdminRequest> {
  const values = fc.array(fc.option(text, { nil: undefined }), {
    ...{ minLength: parameters.length, maxLength: parameters.length },
  });
  return fc.tuple(values, body).map(([given, json]) => {
    let target: string = path;
    const query: string[] = [];
    for (const [i, { name, in: place }] of parameters.entries()) {
      const value = encodeURIComponent(given[i]?.toWellFormed() ?? 'app');
      if (place === 'path') target = target.replace(`{${name}}`, value || 'app');
      else if (given[i] !== undefined) query.push(`${name}=${value}`);
    }
    const url = query.length === 0 ? target : `${target}?${query.join('&')}`;
    return { method: method.toUpperCase(), target: url, body: requestBody === undefined ? undefined : json };
  });
}

/** Sends random parameters and bodies to every operation of the admin API: each response is as its contract declares. */
export async function fuzzAdmin(
  { url, headers }: Target,
  count: number,
  seed: number,
): Promise<Omit<Fuzzed, 'longestMs'>> {
  const routes = createDeclaredPaths(document as OpenApiDocument).flatMap((path) => path.routes);
  const check = createResponseCheck(document as OpenApiDocument);
  const requests = fc.sample(fc.oneof(...routes.map(requestOf)), { numRuns: count, seed });
  let accepted = 0;
  const faults = await inLanes(4, requests, async ({ method, target, body: json }) => {
    const more = json === undefined ? {} : { body: json.toWellFormed() };
    const fields = { ...headers, ...(json === undefined ? {} : { 'Content-Type': 'application/json' }) };
    try {
      const response = await fetch(url + target, { method, headers: fields, ...more });
      const { status } = response;
      check({
        method,
        path: new URL(response.url).pathname,
        status,
        headers: response.headers,
        text: await response.text(),
      });
      if (status < 400) accepted++;
      // keys.json has no audit trail.
      return status >= 500 && status !== 501 ? `${method} ${target} is ${status}` : undefined;
    } catch (error) {
      return `${method} ${target}: ${error instanceof Error ? error.message : String(error)}`;
    }
  });
  return { name: 'requests of the admin API', count, accepted, faults: faults.filter((fault) => fault !== undefined) };
}
