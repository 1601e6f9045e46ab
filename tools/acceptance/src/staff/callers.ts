import { randomUUID } from 'node:crypto';
import { expect, inject } from 'vitest';
import { type Answer, type CallOptions, call } from '../call.ts';
import type { StaffServer } from '../server-names.ts';

const { credentials, otherCompany } = inject('servers');
export const companyKey = credentials.COMPANY_KEY;
export const otherCompanyKey = otherCompany.companyKey;

/** Two accounts of one company, and the admin of another. */
export type Role = 'admin' | 'reader' | 'otherCompany';

/** Calls a staff server as somebody: with a bearer token at the scheduling API, with a key at the proxy. */
export async function callAs(
  server: StaffServer,
  role: Role,
  path: string,
  options: CallOptions = {},
): Promise<Answer> {
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

/** What each logs in with at the scheduling API. */
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

/** The list of the company, by query options as an OData client writes them. */
export async function list(server: StaffServer, role: Role, options: Record<string, string> = {}): Promise<Answer> {
  const query = new URLSearchParams({ companyKey: role === 'otherCompany' ? otherCompanyKey : companyKey, ...options });
  return callAs(server, role, `/v2/staffmember?${query}`);
}

/** A new person of the test's own, so that no test sees what another writes. */
// biome-ignore lint/suspicious/noExplicitAny: the contract has judged the answer already.
export async function createPerson(server: StaffServer, fields: Record<string, unknown> = {}): Promise<any> {
  const json = { StaffId: `new-${randomUUID()}`, FirstName: 'Ny', LastName: 'Ansatt', ...fields };
  const answer = await callAs(server, 'admin', '/v2/staffmember', { method: 'POST', json });
  expect(answer.status).toBe(201);
  return answer.body;
}

/** The path of a person, of which keys hold what people type. */
export const pathOf = ({ StaffKey }: { StaffKey: string }, rest = '') =>
  `/v2/staffmember/${encodeURIComponent(StaffKey)}${rest}`;
