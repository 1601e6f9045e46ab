import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createAdminClient } from '../../../../packages/admin-client/src/index.ts';
import { createGatewayClient } from '../../../../packages/gateway-client/src/index.ts';
import { createStaffClient } from '../../../../packages/staff-client/src/index.ts';
import type { OpenApiDocument } from '../spec/openapi-document.ts';
import { bundlePath } from '../workspace.ts';
import { findMapDrift } from './find-map-drift.ts';
import { readOperationsOf } from './read-operations-of.ts';

const baseUrl = 'http://contract.test';
const clients: Readonly<
  Record<string, { build: BuildClient; besides: readonly string[]; known?: { id: string; path: string } }>
> = {
  admin: {
    build: (fetch) => createAdminClient({ baseUrl, key: 'k', fetch }) as unknown as AnyClient,
    besides: [],
    known: { id: 'listPlans', path: '/plans' },
  },
  gateway: {
    build: (fetch) => createGatewayClient({ baseUrl, key: 'k', fetch }) as unknown as AnyClient,
    besides: [],
  },
  staff: {
    build: (fetch) => createStaffClient({ baseUrl, token: 't', fetch }) as unknown as AnyClient,
    // Methods that use more than one operation.
    besides: ['staffTags', 'staffSkillset', 'pages', 'people', 'changes', 'upsert'],
  },
};

describe.each(Object.entries(clients))(
  'the %s client',
  (name, { build, besides, known = { id: 'getHealth', path: '/health' } }) => {
    const { id, path } = known;
    const load = (): OpenApiDocument => JSON.parse(readFileSync(bundlePath(name), 'utf8'));
    const check = async (document: OpenApiDocument, builder = build) =>
      findMapDrift(
        ['the contract', readOperationsOf(document)],
        ['the client', await recordClientCalls(builder, besides)],
      );

    test('pair operationIds ⇄ client methods: each operation has a method of its name that calls it, and there are no other methods', async () => {
      expect(readOperationsOf(load()).size).toBeGreaterThan(10);
      expect(await check(load())).toEqual([]);
    });

    test('mutation operationIds ⇄ client methods: an operation is renamed only in the contract', async () => {
      const document = load();
      Object.assign(document.paths[path]?.get as object, { operationId: 'readOther' });
      expect(await check(document)).toEqual(['readOther is in the contract alone', `${id} is in the client alone`]);
    });

    test('mutation operationIds ⇄ client methods: an operation moves to another path or method only in the contract', async () => {
      const document = load();
      const { [path]: item, ...paths } = document.paths;
      const moved = { ...document, paths: { ...paths, '/moved': item } } as OpenApiDocument;
      expect(await check(moved)).toEqual([`${id} is GET /moved in the contract and GET ${path} in the client`]);
    });

    test('mutation operationIds ⇄ client methods: a method is removed from the client', async () => {
      const less: BuildClient = (fetch) => ({ ...build(fetch), [id]: undefined });
      expect(await check(load(), less)).toEqual([`${id} is in the contract alone`]);
    });
  },
);

/** A client whose methods send requests. */
type AnyClient = Readonly<Record<string, unknown>>;

/** Creates a client with the given fetch. */
type BuildClient = (fetch: (request: Request) => Promise<Response>) => AnyClient;

/**
 * Returns the request of each method of a client, such as `GET /v2/staffmember/{staff_key}`, by method name. `besides`
 * names methods that are not operations of the contract.
 */
async function recordClientCalls(build: BuildClient, besides: readonly string[] = []): Promise<Map<string, string>> {
  let sent = '';
  const client = build(async ({ method, url }) => {
    sent = `${method} ${decodeURIComponent(new URL(url).pathname)}`;
    return Response.json({});
  });
  const calls = new Map<string, string>();
  for (const [name, method] of Object.entries(client)) {
    if (typeof method !== 'function' || besides.includes(name)) continue;
    sent = 'nothing';
    // The result of the call does not matter here.
    await method({ path: namesAsValues, query: { companyKey: 'c' } }).catch(() => undefined);
    calls.set(name, sent);
  }
  return calls;
}

/** Returns each parameter as its own name, so that the path of the request is the template. */
const namesAsValues = new Proxy<Record<string, string>>({}, { get: (_, name) => `{${String(name)}}` });
