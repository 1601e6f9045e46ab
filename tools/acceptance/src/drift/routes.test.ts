import { document as gatewayDocument } from '@rostergate/gateway-spec';
import { proxyDocument, schedulingDocument } from '@rostergate/staff-spec';
import { describe, expect, inject, test } from 'vitest';
import { findMapDrift } from '../../../contract/src/drift/find-map-drift.ts';
import { call } from '../call.ts';
import { startGateway } from '../gateway-process.ts';
import { type Operations, operationsOf, probeOperations } from './served-operations.ts';

const { urls } = inject('servers');
const documents = { gateway: gatewayDocument, 'staff-proxy': proxyDocument, scheduling: schedulingDocument } as const;
/** The operations of all servers, to find routes of one server beyond its contract. */
const anywhere = Object.values(documents).flatMap((document) => [...operationsOf(document).keys()]);

type Server = keyof typeof documents;

/** Returns the configured endpoints of a gateway. */
async function configuredOf(server: Server, baseUrl: string): Promise<Operations> {
  if (server !== 'gateway') return new Map();
  const { body } = await call('gateway', '/endpoints', { baseUrl });
  return new Map(body.endpoints.map((one: { method: string; path: string }) => [`${one.method} ${one.path}`, 'there']));
}

async function routesOf(baseUrl: string, contract: Operations): Promise<Operations> {
  const served = operationsOf(await (await fetch(`${baseUrl}/openapi.json`)).json());
  const routed = await probeOperations(baseUrl, [...anywhere, ...contract.keys(), ...served.keys()]);
  const paths = [...new Set([...contract.keys()].map(pathOf))];
  return new Map([...routed].filter(([name]) => paths.includes(pathOf(name)) || !isParameter(pathOf(name), paths)));
}

const pathOf = (name: string) => name.slice(name.indexOf(' ') + 1);

/** Returns whether a path of another server is one with a parameter here, such as `/$count` as a key. */
function isParameter(path: string, paths: readonly string[]): boolean {
  return paths.some((known) => {
    const pieces = known.split(/\{[^}]+\}/).map((literal) => literal.replace(/[$.]/g, '\\$&'));
    return pieces.length > 1 && new RegExp(`^${pieces.join('[^/]+')}$`).test(path);
  });
}

async function check(server: Server, contract: Operations, baseUrl = urls[server]): Promise<string[]> {
  const whole = new Map([...contract, ...(await configuredOf(server, baseUrl))]);
  return findMapDrift(['the contract', whole], ['the running server', await routesOf(baseUrl, whole)]);
}

describe.each(['gateway', 'staff-proxy', 'scheduling'] as const)('%s', (server) => {
  const contract = operationsOf(documents[server]);

  test('pair spec ⇄ running routes: the server routes exactly the operations of the contract', async () => {
    expect(contract.size).toBeGreaterThan(10);
    expect(await check(server, contract)).toEqual([]);
  });

  test('pair spec ⇄ running routes: /openapi.json is the contract with the configured endpoints', async () => {
    const served = operationsOf((await call(server, '/openapi.json')).body);
    const whole = new Map([...contract, ...(await configuredOf(server, urls[server]))]);
    expect(findMapDrift(['the contract', whole], ['/openapi.json', served])).toEqual([]);
  });

  test('mutation spec ⇄ running routes: an operation is added only to the contract', async () => {
    expect(await check(server, new Map([...contract, ['PUT /health', 'there']]))).toEqual([
      'PUT /health is in the contract alone',
    ]);
  });

  test('mutation spec ⇄ running routes: an operation is removed only from the contract', async () => {
    const less = new Map([...contract].filter(([name]) => name !== 'GET /metrics'));
    expect(await check(server, less)).toEqual(['GET /metrics is in the running server alone']);
  });

  test('mutation spec ⇄ running routes: a path is renamed only in the contract', async () => {
    const renamed = new Map([...contract].map(([name, value]) => [name.replace('/health/live', '/live'), value]));
    expect(await check(server, renamed)).toEqual([
      'GET /live is in the contract alone',
      'GET /health/live is in the running server alone',
    ]);
  });
});

test('mutation spec ⇄ running routes: a running server lacks operations of its contract', async () => {
  const { url } = await startGateway({
    settings: {
      enabled_routers: ['health', 'metrics', 'endpoints'],
      mcp: { tools: [{ operation_id: 'listEndpoints' }], resource: 'https://api.example.com/mcp' },
      usage: {},
      jwt_issuers: [{ name: 'corp', issuer: 'http://127.0.0.1:9', audiences: ['a'] }],
      portal: { issuer: 'corp', client_id: 'portal', base_url: 'http://127.0.0.1:8000' },
      portal_client_secret: 'a-secret-of-the-developer-portal',
    },
    endpoints: [],
  });
  expect(await check('gateway', operationsOf(gatewayDocument), url)).toEqual([
    'GET /auth/status is in the contract alone',
    'GET /auth/validate is in the contract alone',
  ]);
});
