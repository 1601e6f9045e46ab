import { randomUUID } from 'node:crypto';
import { expect, inject } from 'vitest';
import { type Answer, type CallOptions, call } from '../call.ts';
import type { StaffServer } from '../server-names.ts';

const { credentials } = inject('servers');
export const companyKey = credentials.COMPANY_KEY;

export type Role = 'admin' | 'reader';

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
  const isAdmin = role === 'admin';
  if (server === 'staff-proxy') {
    return { 'X-API-Key': isAdmin ? credentials.STAFF_PROXY_ADMIN_KEY : credentials.STAFF_PROXY_KEY };
  }
  tokens[role] ??= logIn(isAdmin ? 'SCHEDULING_ADMIN' : 'SCHEDULING');
  return { Authorization: `bearer ${await tokens[role]}` };
}

const tokens: Partial<Record<Role, Promise<string>>> = {};

async function logIn(account: 'SCHEDULING_ADMIN' | 'SCHEDULING'): Promise<string> {
  const json = { email: credentials[`${account}_EMAIL`], password: credentials[`${account}_PASSWORD`] };
  return (await call('scheduling', '/v2/login', { method: 'POST', json })).body.access_token;
}

/** The list of the company, by query options as an OData client writes them. */
export async function list(server: StaffServer, role: Role, options: Record<string, string> = {}): Promise<Answer> {
  const query = new URLSearchParams({ companyKey, ...options });
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
