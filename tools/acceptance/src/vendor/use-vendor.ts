import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, inject } from 'vitest';
import { pickFreePort } from '../../../workspace/free-ports.ts';
import { type Answer, type CallOptions, call } from '../call.ts';
import { callAs, companyKey, credentialOf, type Role } from '../staff/callers.ts';
import { type RunningServer, startServer } from '../start-server.ts';
import { type SeenByVendor, startVendor, type Vendor } from './start-vendor.ts';

export interface VendorProxy {
  /** Calls the proxy in front of the vendor; throws unless its contract allows the answer. */
  as(role: Role, path: string, options?: CallOptions): Promise<Answer>;
  /** What reached the vendor in this test, but for logins: method, path, and the body where there is one. */
  asked(): unknown[];
  seen(): readonly SeenByVendor[];
  /** Straight to the vendor. */
  direct(path: string, options?: RequestInit): Promise<Response>;
  /** A new person of the test's own, made in the store behind. */
  // biome-ignore lint/suspicious/noExplicitAny: the contract has judged the answer already.
  person(fields?: Record<string, unknown>): Promise<any>;
}

/** A proxy that speaks the vendor's forms, and the vendor behind it, for the tests of one file. */
export function useVendor(settings: Readonly<Record<string, string>> = {}): VendorProxy {
  const { env, urls } = inject('servers');
  let vendor: Vendor;
  let proxy: RunningServer;
  beforeAll(async () => {
    vendor = await startVendor(urls.scheduling);
    const vendorSettings = {
      ROSTERGATE_PROXY_UPSTREAM_URL: vendor.url,
      ROSTERGATE_PROXY_UPSTREAM_FORM: 'vendor',
      // Whatever is not the contract's becomes a 502, so that no test passes over it.
      ROSTERGATE_PROXY_VALIDATE_RESPONSES: 'strict',
      ...settings,
    };
    proxy = await startServer({ name: 'staff-proxy', port: await pickFreePort(), env: { ...env, ...vendorSettings } });
  });
  afterAll(async () => {
    await proxy?.stop();
    await vendor?.stop();
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
    direct: (path, options) => fetch(vendor.url + path, options),
    async person(fields = {}) {
      const json = { StaffId: `vendor-${randomUUID()}`, FirstName: 'Ny', LastName: 'Ansatt', ...fields };
      return (await callAs('scheduling', 'admin', '/v2/staffmember', { method: 'POST', json })).body;
    },
  };
}

/** The company, as it stands in a query. */
export const company = encodeURIComponent(companyKey);
