import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createTelemetry } from '@rostergate/server/telemetry';
import { schedulingDocument as document } from '@rostergate/staff-spec';
import { expect } from 'vitest';
import { hashPassword } from '../src/accounts/password.ts';
import { createApp } from '../src/app.ts';
import { settingsSchema } from '../src/settings.ts';
import type { OpenStore } from '../src/store/staff-store.ts';
import { serveVendorForm } from '../src/vendor/serve-vendor-form.ts';
import { openTestStore } from './open-test-store.ts';

export const companyKey = 'demo-company';
const password = 'canary-password';
/** A low cost, because these passwords protect nothing. */
const passwordCost = { N: 1_024, r: 8, p: 1 };
const emails = { admin: 'admin@demo.example', reader: 'reader@demo.example', otherCompany: 'admin@other.example' };
export type AccountName = keyof typeof emails;

export interface CallOptions {
  readonly as?: AccountName | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string | undefined;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent unchanged. */
  readonly body?: string | URLSearchParams;
  readonly signal?: AbortSignal;
}

export interface AppResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the type.
  readonly body: any;
}

export type RunningApp = Awaited<ReturnType<typeof startApp>>;

/** Starts the whole server on a free port, over a database with 120 people and three accounts. */
export async function startApp(settings: Record<string, unknown> = {}, open: () => Promise<OpenStore> = openTestStore) {
  const { store, accounts } = await open();
  await store.seedDemo({ companyKey, companies: 2, staff: 120, otherStaff: 3 });
  const hash = await hashPassword(password, passwordCost);
  await accounts.applyFile([
    { email: emails.admin, password: hash, companyKey, isAdmin: true },
    { email: emails.reader, password: hash, companyKey, isAdmin: false },
    { email: emails.otherCompany, password: hash, companyKey: 'other-company', isAdmin: true },
  ]);
  let log = '';
  const time = { offsetMs: 0 };
  const clock = () => performance.timeOrigin + performance.now() + time.offsetMs;
  const logDestination = {
    write(line: string) {
      log += line;
    },
  };
  const telemetry = createTelemetry({
    service: 'scheduling',
    version: '0.0.0',
    clock,
    logLevel: 'trace',
    logDestination,
  });
  const parsed = settingsSchema.parse(settings);
  const { server, beginDrain } = createApp(parsed, {
    ...(parsed.form === 'vendor' && { serveForm: serveVendorForm }),
    ...{ document, version: '0.0.0', clock, randomBytes, telemetry, store, accounts, passwordCost },
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const tokens = new Map<AccountName, string>();

  async function send(path: string, { headers = {}, json, body, method, signal }: CallOptions): Promise<AppResponse> {
    const sent = json === undefined ? body : JSON.stringify(json);
    const response = await fetch(base + path, {
      method: method ?? (sent === undefined ? 'GET' : 'POST'),
      headers: { ...(json !== undefined && { 'Content-Type': 'application/json' }), ...headers },
      ...(sent !== undefined && { body: sent }),
      ...(signal !== undefined && { signal }),
    });
    const text = await response.text();
    const isJson = /\bjson\b/.test(response.headers.get('Content-Type') ?? '') && text !== '';
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : text };
  }

  async function tokenOf(name: AccountName): Promise<string> {
    const known = tokens.get(name);
    if (known !== undefined) return known;
    const { body } = await send('/v2/login', { json: { email: emails[name], password } });
    tokens.set(name, body.access_token);
    return body.access_token;
  }

  /** Calls as an account, which logs in at its first call, or without a token. */
  async function call(path: string, options: CallOptions = {}): Promise<AppResponse> {
    if (options.as === undefined) return send(path, options);
    const authorization = { Authorization: `Bearer ${await tokenOf(options.as)}` };
    return send(path, { ...options, headers: { ...authorization, ...options.headers } });
  }
  const asAdmin = (path: string, options: CallOptions = {}) => call(path, { as: 'admin', ...options });
  const write = (method: string) => (path: string, json?: unknown) => call(path, { as: 'admin', json, method });
  const post = write('POST');

  return {
    store,
    beginDrain,
    /** Advances the server's clock. */
    pass(ms: number) {
      time.offsetMs += ms;
    },
    logText: () => log,
    tokenOf,
    call,
    asAdmin,
    post,
    put: write('PUT'),
    remove: write('DELETE'),
    /** Returns the path of a new person. */
    async newPerson(StaffId: string): Promise<string> {
      const { body } = await post('/v2/staffmember', { StaffId });
      return `/v2/staffmember/${encodeURIComponent(body.StaffKey)}`;
    },
    /** Returns the path of a person of the demo data. */
    async somePerson(): Promise<string> {
      // People that tests create may come first and have no collections.
      const seeded = "not (startswith(StaffId,'N-') or startswith(StaffId,'M-'))";
      const query = `companyKey=${companyKey}&$top=1&$filter=${encodeURIComponent(seeded)}`;
      const { body } = await asAdmin(`/v2/staffmember?${query}`);
      return `/v2/staffmember/${encodeURIComponent(body[0].StaffKey)}`;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await store.close();
    },
  };
}

export const credentials = (name: AccountName) => ({ email: emails[name], password });

/** Expects a status, code and media type of a problem, and its id in the log. */
export function expectProblem(response: AppResponse, status: number, code: string): void {
  expect([response.status, response.body.code]).toEqual([status, code]);
  expect(response.headers.get('Content-Type')).toMatch(/^application\/problem\+json/);
  expect(response.body).toMatchObject({ status, request_id: response.headers.get('X-Request-Id') });
}
