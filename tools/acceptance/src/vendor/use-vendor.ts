import { createHash, randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, inject } from 'vitest';
import { createEndings, makeTemporaryFolder } from '../at-end.ts';
import { type CallOptions, call, type TestResponse } from '../call.ts';
import { callAs, companyKey, credentialOf, type Role } from '../staff/callers.ts';
import { type RunningServer, startServer } from '../start-server.ts';
import { type SeenByVendor, startVendor, type Vendor } from './start-vendor.ts';

export interface VendorProxy {
  /** Calls the proxy in front of the vendor; throws if its contract does not allow the response. */
  as(role: Role, path: string, options?: CallOptions): Promise<TestResponse>;
  /** The requests to the vendor in this test, except logins: method, path and optional body. */
  asked(): unknown[];
  seen(): readonly SeenByVendor[];
  /** Calls the proxy with a key of the administrator's account that keeps unknown members. */
  keeping(path: string): Promise<Response>;
  /** Calls the vendor directly. */
  direct(path: string, options?: RequestInit): Promise<Response>;
  /** Creates a person in the scheduling server. */
  // biome-ignore lint/suspicious/noExplicitAny: the contract check has validated the response.
  person(fields?: Record<string, unknown>): Promise<any>;
}

/** Starts a proxy with the vendor as its upstream, for the tests of one file. */
export function useVendor(): VendorProxy {
  const { env, urls } = inject('servers');
  let vendor: Vendor;
  let proxy: RunningServer;
  const keeper = `staff_${randomUUID()}`;
  const endings = createEndings();
  beforeAll(async () => {
    vendor = await startVendor(urls.scheduling);
    const keysFile = join(await makeTemporaryFolder('vendor-keys-', endings.atEnd), 'proxy-keys.json');
    await writeFile(keysFile, await withKeeper(env.ROSTERGATE_PROXY_KEYS_FILE as string, keeper), { mode: 0o600 });
    const vendorSettings = {
      ROSTERGATE_PROXY_UPSTREAM_URL: vendor.url,
      ROSTERGATE_PROXY_UPSTREAM_FORM: 'vendor',
      ROSTERGATE_PROXY_KEYS_FILE: keysFile,
      // A response that violates the contract becomes a 502, which fails the test.
      ROSTERGATE_PROXY_VALIDATE_RESPONSES: 'strict',
    };
    proxy = await startServer({ name: 'staff-proxy', port: 0, env: { ...env, ...vendorSettings } });
  });
  afterAll(async () => {
    await proxy?.stop();
    await vendor?.stop();
    await endings.end();
  });
  beforeEach(() => {
    vendor.seen.length = 0;
  });
  return {
    async as(role, path, options = {}) {
      const headers = { ...(await credentialOf('staff-proxy', role)), ...options.headers };
      return call('staff-proxy', path, { baseUrl: proxy.url, ...options, headers });
    },
    asked: () => vendor.seen.map(({ method, path, body }) => [method, path, ...(body === undefined ? [] : [body])]),
    seen: () => vendor.seen,
    keeping: (path) => fetch(proxy.url + path, { headers: { 'X-API-Key': keeper } }),
    direct: (path, options) => fetch(vendor.url + path, options),
    async person(fields = {}) {
      const json = { StaffId: `vendor-${randomUUID()}`, FirstName: 'Ny', LastName: 'Ansatt', ...fields };
      return (await callAs('scheduling', 'admin', '/v2/staffmember', { method: 'POST', json })).body;
    },
  };
}

async function withKeeper(path: string, key: string): Promise<string> {
  const { accounts, keys, ...rest } = JSON.parse(await readFile(path, 'utf8'));
  const sha256 = createHash('sha256').update(key).digest('hex');
  const account = Object.keys(accounts).find(
    (name) => accounts[name].company_key === companyKey && accounts[name].admin,
  );
  const keeper = { name: 'keeper', owner: 'keeper', sha256, account, unknown_members: 'keep' };
  return JSON.stringify({ accounts, keys: [...keys, keeper], ...rest });
}

/** The company, encoded for a query. */
export const company = encodeURIComponent(companyKey);
