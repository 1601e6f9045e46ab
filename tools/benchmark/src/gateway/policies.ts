import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { definePolicy, type Endpoint, type ExpressMiddleware, parseEndpoints } from '@rostergate/endpoints';
import { Context, type Reply, unmatchedRoute } from '@rostergate/server';
import { createPoliciesOf } from '../../../../apps/gateway/src/policies/route-policies.ts';
import { describeBuiltInServices } from '../../../../apps/gateway/src/services/index.ts';
import { forwardRequestHeaders } from '../../../../packages/upstream/src/upstream/forwarded-headers.ts';
import type { Say } from '../compare-servers.ts';
import { type Figure, toFigure } from '../figure.ts';

const requestsPerRound = 20_000;
const rounds = 9;

/** The policies, each with the CPU that a request may cost more than one without policies. */
const measured = {
  addresses: { maxUs: 1, policy: { type: 'addresses', allow: ['10.0.0.0/8', '127.0.0.0/8'] } },
  headers: {
    maxUs: 1,
    policy: {
      type: 'headers',
      request: { set: { 'X-Owner': '{owner}' }, remove: ['Cookie'] },
      response: { set: { 'X-Served-By': 'gateway' } },
    },
  },
  cors: { maxUs: 0.5, policy: { type: 'cors', origins: ['https://app.example'] } },
  body_size: { maxUs: 0.5, policy: { type: 'body_size', bytes_max: 1_000 } },
  code: { maxUs: 3, policy: { type: 'code', module: 'code.ts' } },
  express: { maxUs: 30, policy: { type: 'express', module: 'express.ts' } },
} as const;

const middleware: ExpressMiddleware = (_req, res, next) => {
  res.setHeader('X-Own', 'yes');
  next();
};

const modules = new Map<string, Readonly<Record<string, unknown>>>([
  [
    'code.ts',
    {
      default: definePolicy({
        before: (context) => context.setRequestHeader('X-Mine', context.requestId),
        after: (reply) => ({ ...reply, headers: { ...reply.headers, 'X-Own': 'yes' } }),
      }),
    },
  ],
  ['express.ts', { default: middleware }],
]);

/** Measures the CPU that a policy of each kind adds to a forwarded request: its steps, and the writing of the head. */
export async function measurePolicies(say: Say): Promise<readonly Figure[]> {
  const policies = Object.fromEntries(Object.entries(measured).map(([name, { policy }]) => [name, policy]));
  const entries = Object.keys(policies).map((name) => ({ path: `/${name}`, service: 'echo', policies: [name] }));
  const { endpoints, faults } = parseEndpoints({ policies, endpoints: entries }, describeBuiltInServices(), new Map(), {
    modules,
  });
  if (faults.length > 0) throw new Error(JSON.stringify(faults));
  const policiesOf = createPoliciesOf(endpoints, {
    settings: { trusted_proxies: [], service_timeout_ms: 30_000, cors_max_age_seconds: 600 },
    count: () => {},
  });
  const serveOf = ({ operationId }: Pick<Endpoint, 'operationId'>) => {
    const { admit, before, after } = policiesOf?.(operationId) ?? {};
    return (context: Context): void => {
      admit?.(context);
      before?.(context);
      forwardRequestHeaders(context.req.rawHeaders, { 'X-Request-Id': 'id' }, {}, context.headerChanges);
      after?.(reply, context);
    };
  };
  const plain = serveOf({ operationId: 'none' });
  return Object.entries(measured).map(([name, { maxUs }], i) => {
    const serve = serveOf(endpoints[i] as Endpoint);
    // Other programs only ever make a round slower.
    let [withPolicy, without] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let round = 0; round < rounds; round++) {
      withPolicy = Math.min(withPolicy, costUs(serve));
      without = Math.min(without, costUs(plain));
    }
    const added = Math.max(0, withPolicy - without);
    say(`a policy of the type ${name} adds ${added.toFixed(2)} µs to ${without.toFixed(2)} µs`);
    return toFigure({ name: `gateway: CPU that a policy adds, ${name}`, unit: 'µs', max: maxUs }, added);
  });
}

const reply: Reply = { status: 200, raw: 'ok', contentType: 'text/plain', headers: { 'X-Up': 'yes', Via: '1.1 a' } };

const headers = {
  Host: 'api.example',
  'User-Agent': 'load',
  Accept: '*/*',
  'Accept-Encoding': 'gzip',
  'Accept-Language': 'en',
  Cookie: 'a=1',
  Referer: 'https://app.example/',
  'X-Own': 'yes',
};

/** Returns the CPU microseconds per request. Its request and response are made before the clock starts. */
function costUs(serve: (context: Context) => void): number {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: '127.0.0.1' });
  const principal = { name: 'load', owner: 'load', scopes: [] };
  const contexts = Array.from({ length: requestsPerRound }, () => {
    const req = new IncomingMessage(socket) as Context['req'];
    req.rawHeaders = Object.entries(headers).flat();
    req.url = '/a';
    req.method = 'GET';
    const context = new Context(req, new ServerResponse(req) as Context['res'], unmatchedRoute, 'id', 0);
    context.principal = principal;
    return context;
  });
  const before = process.threadCpuUsage();
  for (const context of contexts) serve(context);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / requestsPerRound;
}
