import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { call, type TestResponse } from '../call.ts';
import { contracts, type DeclaredOperation, operationsOf } from '../contracts.ts';
import { type ServerName, serverNames } from '../server-names.ts';
import { type RunningServer, startServer } from '../start-server.ts';

const { credentials, env, urls } = inject('servers');
const keys = { gateway: credentials.GATEWAY_KEY, 'staff-proxy': credentials.STAFF_PROXY_KEY, scheduling: '' };

/** The operations of pages and system, and the forms of pages; operations on people have their own tests. */
const pagesAndSystem = (server: ServerName): DeclaredOperation[] =>
  operationsOf(contracts[server]).filter(({ method, template }) =>
    method === 'get' ? !template.startsWith('/v2/') : template.startsWith('/portal/'),
  );

const thatDeclare = (server: ServerName, status: string): DeclaredOperation[] =>
  pagesAndSystem(server).filter(({ statuses }) => statuses.includes(status));

const isFile = ({ method, template }: DeclaredOperation): boolean => method === 'get' && template.includes('{');

const formsThatDeclare = (server: ServerName, status: string): DeclaredOperation[] =>
  thatDeclare(server, status).filter(({ method }) => method === 'post');

/** Returns the path of an operation; for a file of a page, the first that the page loads. */
async function pathOf(server: ServerName, operation: DeclaredOperation): Promise<string> {
  const { template } = operation;
  if (!isFile(operation)) return template.replace(/\{\w+\}/, 'any');
  const [folder, parameter] = template.split(/(?=\{)/);
  if (folder === undefined || parameter === undefined) return template;
  const page = /^\/(docs|redoc|portal)(?=\/)/.exec(folder)?.[0] ?? '/';
  const { text } = await call(server, page);
  const [, asset] = new RegExp(`(?:src|href)="(?:\\.?/)?${folder.slice(1)}([\\w.-]+)"`).exec(text) ?? [];
  if (asset === undefined) throw new Error(`${page} loads nothing from ${folder}`);
  return folder + asset;
}

describe.each(serverNames)('%s', (server) => {
  const headersFor = ({ isSecured }: DeclaredOperation): Record<string, string> =>
    isSecured ? { 'X-API-Key': keys[server] } : {};

  // An issuer may add parameters to its response.
  const isStrict = ({ operationId }: DeclaredOperation) => operationId !== 'completePortalSignIn';
  test.each(thatDeclare(server, '400').filter(isStrict))(
    '$operationId: an undeclared query parameter is 400',
    async (one) => {
      const path = await pathOf(server, one);
      const { method } = one;
      const { status, body } = await call(server, `${path}?surprise=1`, {
        ...{ method, headers: headersFor(one) },
        ...(one.statuses.includes('415') ? { json: {} } : {}),
      });
      expect([status, body.code]).toEqual([400, 'validation_failed']);
    },
  );

  test.each(thatDeclare(server, '401'))('$operationId: a wrong key is 401', async (one) => {
    const path = await pathOf(server, one);
    const { status, headers } = await call(server, path, { method: one.method, headers: { 'X-API-Key': 'invented' } });
    expect([status, headers.has('WWW-Authenticate')]).toEqual([401, true]);
  });

  test.each(thatDeclare(server, '304'))('$operationId: the current copy of the client is 304', async (one) => {
    const path = await pathOf(server, one);
    const plain = { 'Accept-Encoding': 'identity' };
    const etag = (await call(server, path, { headers: plain })).headers.get('ETag');
    const { status, headers } = await call(server, path, { headers: { ...plain, 'If-None-Match': etag ?? '' } });
    expect([status, headers.get('ETag')]).toEqual([304, etag]);
  });

  const ofFiles = thatDeclare(server, '404').filter(isFile);
  test.each(ofFiles)('$operationId: an unknown file is 404', async ({ template }) => {
    const { status } = await call(server, template.replace(/\{\w+\}/, 'no-such-file.js'));
    expect(status).toBe(404);
  });

  test.each(formsThatDeclare(server, '413'))('$operationId: a body above the limit is 413', async (one) => {
    const options = { method: one.method, json: 'x'.repeat(11_000_000) };
    const { status, body } = await call(server, await pathOf(server, one), options);
    expect([status, body.code]).toEqual([413, 'body_too_large']);
  });

  test.each(formsThatDeclare(server, '415'))('$operationId: another media type is 415', async (one) => {
    const options = { method: one.method, headers: { 'Content-Type': 'text/plain' }, body: 'name=a' };
    const { status, body } = await call(server, await pathOf(server, one), options);
    expect([status, body.code]).toEqual([415, 'media_type_unsupported']);
  });
});

describe.each(['gateway', 'staff-proxy'] as const)('%s without remaining quota', (name) => {
  let server: RunningServer;
  const send = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<TestResponse> =>
    call(name, path, { baseUrl: server.url, method, headers });

  beforeAll(async () => {
    const limits = Object.fromEntries(
      Object.keys(env).flatMap((variable) => (variable.includes('RATE_LIMIT_PER_MINUTE') ? [[variable, '1']] : [])),
    );
    const settings = { ...env, ...limits, ROSTERGATE_PROXY_UPSTREAM_URL: urls.scheduling };
    server = await startServer({ name, port: 0, env: settings });
    const used = await Promise.all(Array.from({ length: 601 }, () => send('/metrics')));
    expect(used.some(({ status }) => status === 429)).toBe(true);
    await send('/nowhere');
    await send('/nowhere', { 'X-API-Key': keys[name] });
  });
  afterAll(() => server.stop());

  test.each(thatDeclare(name, '429'))('$operationId: is 429 with Retry-After', async (one) => {
    const headers = one.isSecured ? { 'X-API-Key': keys[name] } : {};
    const { status, headers: sent, body } = await send(await pathOf(name, one), headers, one.method);
    expect([status, body.code]).toEqual([429, 'limit_exceeded']);
    expect(Number(sent.get('Retry-After'))).toBeGreaterThan(0);
  });
});
