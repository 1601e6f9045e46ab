import { randomUUID } from 'node:crypto';
import { expect, inject } from 'vitest';
import { type CallOptions, call, type TestResponse } from '../call.ts';
import type { StaffServer } from '../server-names.ts';

const { credentials, otherCompany } = inject('servers');
export const companyKey = credentials.COMPANY_KEY;
export const otherCompanyKey = otherCompany.companyKey;

/** Two accounts of one company, and the admin of another. */
export type Role = 'admin' | 'reader' | 'otherCompany';

/** Calls a staff server as a role: with a bearer token at the scheduling API, with a key at the proxy. */
export async function callAs(
  server: StaffServer,
  role: Role,
  path: string,
  options: CallOptions = {},
): Promise<TestResponse> {
  const headers = { ...(await credentialOf(server, role)), ...options.headers };
  return call(server, path, { ...options, headers });
}

export async function credentialOf(server: StaffServer, role: Role): Promise<Record<string, string>> {
  if (server === 'staff-proxy') return { 'X-API-Key': proxyKeys[role] };
  tokens[role] ??= logIn(role);
  return { Authorization: `bearer ${await tokens[role]}` };
}

const tokens: Partial<Record<Role, Promise<string>>> = {};

async function logIn(role: Role): Promise<string> {
  return (await call('scheduling', '/v2/login', { method: 'POST', json: logins[role] })).body.access_token;
}

/** The logins of the roles at the scheduling API. */
export const logins: Readonly<Record<Role, { readonly email: string; readonly password: string }>> = {
  admin: { email: credentials.SCHEDULING_ADMIN_EMAIL, password: credentials.SCHEDULING_ADMIN_PASSWORD },
  reader: { email: credentials.SCHEDULING_EMAIL, password: credentials.SCHEDULING_PASSWORD },
  otherCompany: { email: otherCompany.email, password: otherCompany.password },
};

const proxyKeys: Readonly<Record<Role, string>> = {
  admin: credentials.STAFF_PROXY_ADMIN_KEY,
  reader: credentials.STAFF_PROXY_KEY,
  otherCompany: otherCompany.proxyKey,
};

/** Lists the company with query options. */
export async function list(
  server: StaffServer,
  role: Role,
  options: Record<string, string> = {},
): Promise<TestResponse> {
  const query = new URLSearchParams({ companyKey: role === 'otherCompany' ? otherCompanyKey : companyKey, ...options });
  return callAs(server, role, `/v2/staffmember?${query}`);
}

/** Creates a person for one test, so that no test sees the writes of another. */
// biome-ignore lint/suspicious/noExplicitAny: the contract check has validated the response.
export async function createPerson(server: StaffServer, fields: Record<string, unknown> = {}): Promise<any> {
  const json = { StaffId: `new-${randomUUID()}`, FirstName: 'Ny', LastName: 'Ansatt', ...fields };
  const response = await callAs(server, 'admin', '/v2/staffmember', { method: 'POST', json });
  expect(response.status).toBe(201);
  return response.body;
}

/** Returns the path of a person, escaped, because keys can contain any characters. */
export const pathOf = ({ StaffKey }: { StaffKey: string }, rest = '') =>
  `/v2/staffmember/${encodeURIComponent(StaffKey)}${rest}`;
