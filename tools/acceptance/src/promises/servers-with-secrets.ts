import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keyDigest } from '@rostergate/access/keys';
import { loadDemoCredentials } from '../../../workspace/demo-credentials.mjs';
import { pickFreePort, pickFreePorts } from '../../../workspace/free-ports.ts';
import type { AtEnd } from '../at-end.ts';
import { portalClient, startOidcIssuer } from '../oidc-issuer.ts';
import { pollUntil } from '../poll-until.ts';
import type { ServerName } from '../server-names.ts';
import { type ServerProcess, spawnServer } from '../server-process.ts';
import { serverPrograms } from '../server-programs.ts';
import { makeGatewayFolder } from '../spawn-gateway.ts';
import { makeProxyFolder } from '../spawn-proxy.ts';
import { portVariables } from '../start-server.ts';
import { askAs } from './ask-as.ts';
import { type Respond, respondJson } from './recording-upstream.ts';
import { startTokenIssuer } from './token-issuer.ts';
import { createCanary } from './uses-of-a-key.ts';

/** A secret to search for. */
export interface Needle {
  /** Where the secret was put. */
  readonly place: string;
  readonly secret: string;
  /** Prefixes of the names of haystacks that may contain the secret. */
  readonly mayBeIn: readonly string[];
}

/** Token endpoints that fail and repeat the credentials that they receive, by path. */
const failingTokenEndpoints: Readonly<Record<string, Respond>> = {
  '/token/rejects': (res, request, req) => respondJson(401, request)(res, request, req),
  '/token/fails': (res, request, req) => respondJson(500, request)(res, request, req),
  '/token/has-no-token': (res, request, req) => respondJson(200, request)(res, request, req),
  '/token/is-a-page': (res, { fields, body }) => res.end(`<html>${fields.join(' ')} ${body}</html>`),
  '/token/breaks-lines': (res, request, req) =>
    respondJson(200, { access_token: `of-the-upstream-\r\nX: ${request.body}`, expires_in: 60 })(res, request, req),
  '/token/is-no-bearer-token': (res, request, req) =>
    respondJson(200, { access_token: 'of-the-upstream-x', token_type: request.body })(res, request, req),
};

/** Returns an upstream that accepts every login, and otherwise fails in each way in turn. */
export function createFailingUpstream(): Respond {
  const ways: readonly Respond[] = [
    respondJson(500, { error: 'broken' }),
    (res) => res.socket?.resetAndDestroy(),
    (res) => res.socket?.end('This is not HTTP.\r\n\r\n'),
    (res) => {
      res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' }).write('[');
      setImmediate(() => res.socket?.destroy());
    },
    (res) => res.writeHead(302, { Location: 'http://127.0.0.1:9/elsewhere' }).end(),
    respondJson(401, { error: 'access_denied' }),
    () => undefined,
  ];
  let n = 0;
  return (res, request, req) => {
    if (request.url.startsWith('/health')) return respondJson(200, { status: 'alive' })(res, request, req);
    if (request.url === '/v2/login') {
      return respondJson(200, { access_token: `of-the-upstream-${n}`, token_type: 'bearer', expires_in: '3600' })(
        res,
        request,
        req,
      );
    }
    const respondAsToken = failingTokenEndpoints[request.url];
    if (respondAsToken !== undefined) return respondAsToken(res, request, req);
    n++;
    // Most responses succeed, because an upstream that always fails gets no requests.
    const respond = n % 4 === 0 ? (ways[(n / 4) % ways.length] as Respond) : respondJson(200, []);
    return respond(res, request, req);
  };
}

/** Starts the three servers with secrets in every place for one. */
export async function startServersWithSecrets(level: string, upstream: string, collector: string, atEnd: AtEnd) {
  const scheduling = await makeGatewayFolder({}, atEnd);
  const { credentials, env } = await loadDemoCredentials(join(scheduling, 'credentials'));
  await mkdir(join(scheduling, 'data'));
  const [plainKey, upstreamKey, redisPassword] = [createCanary(), createCanary(), createCanary()];
  const [clientSecret, loginPassword] = [createCanary(), createCanary()];
  const [policyHeader, policyOption, policyVariable] = [createCanary(), createCanary(), createCanary()];
  const issuer = await startTokenIssuer(atEnd);
  const accessTokens = [
    issuer.token(),
    issuer.token({ exp: 1_700_000_000 }),
    issuer.token({ aud: 'https://other.example.com' }),
    issuer.forgedToken(),
  ];
  const secured = { auth: ['key', 'jwt:corp'] };
  const forwarding = { service: 'http', ...secured };
  const target = { targets: [upstream], headers: { 'X-API-Key': '${UPSTREAM_KEY}' }, timeout_ms: 300, retries: 1 };
  const auth = {
    type: 'client_credentials',
    token_url: `${upstream}/v2/login`,
    client_id: 'gateway',
    client_secret: '${CLIENT_SECRET}',
    client_authentication: 'post',
  };
  const login = { type: 'login', token_url: `${upstream}/v2/login`, fields: { password: '${LOGIN_PASSWORD}' } };
  const failingAuths = Object.keys(failingTokenEndpoints).map((path, n) => ({
    ...[auth, { ...auth, client_authentication: 'basic' }, login, { ...login, body: 'json' }][n % 4],
    token_url: upstream + path,
  }));
  const [gatewayPort, proxyPort, schedulingPort] = await pickFreePorts(3);
  const people = await startOidcIssuer(atEnd);
  const adminPort = await pickFreePort();
  const adminKey = createCanary();
  const adminEntry = { name: 'root', owner: 'ops', sha256: keyDigest(adminKey), scopes: ['admin'] };
  const gateway = await makeGatewayFolder(
    {
      settings: {
        api_keys: `${plainKey}, sha256:${keyDigest(credentials.GATEWAY_KEY)}`,
        jwt_issuers: [issuer.settings, { ...people.settings, name: 'people' }],
        redis_url: `redis://:${redisPassword}@127.0.0.1:9`,
        rate_limit_enabled: true,
        rate_limit_per_minute: 1_000_000,
        rate_limit_per_minute_authenticated: 1_000_000,
        log_level: level,
        admin_port: adminPort,
        mcp: { tools: toolOperations.map((operation_id) => ({ operation_id })) },
        usage: { flush_seconds: 1 },
        portal: { issuer: 'people', client_id: portalClient.client_id, base_url: `http://127.0.0.1:${gatewayPort}` },
      },
      endpoints: [
        { path: '/open', service: 'static', parameters: { answer: 'open' } },
        { path: '/echo', method: 'POST', service: 'echo', auth: ['key', 'jwt:corp'] },
        { path: '/upstream/{name}', ...forwarding, policies: ['fixed', 'signed'], upstream: target },
        { path: '/upstream/{name}', method: 'POST', ...forwarding, upstream: { ...target, auth } },
        { path: '/session/{name}', ...forwarding, upstream: { ...target, auth: login } },
        ...failingAuths.map((auth, n) => ({ path: `/token/${n}`, ...forwarding, upstream: { ...target, auth } })),
        {
          path: '/live',
          ...forwarding,
          policies: ['fixed', 'signed'],
          upstream: { ...target, auth: login, websocket: {} },
        },
        { path: '/throws/{way}', service: 'indiscreet', ...secured },
        { path: '/policy/{way}', service: 'indiscreet', ...secured, policies: ['indiscreet'] },
      ],
      policies: {
        fixed: { type: 'headers', request: { set: { 'X-Fixed': policyHeader } } },
        signed: { type: 'code', module: 'signed.ts', options: { secret: policyOption } },
        indiscreet: { type: 'code', module: 'policy.ts' },
      },
      files: {
        'keys.json': JSON.stringify({ keys: [adminEntry] }),
        'services/signed.ts': signedPolicy,
        ...indiscreetModules,
      },
    },
    atEnd,
  );
  const keysFile = JSON.parse(await readFile(env.ROSTERGATE_PROXY_KEYS_FILE as string, 'utf8'));
  const proxy = await makeProxyFolder(
    {
      keysFile,
      settings: { upstream_url: upstream, upstream_timeout_ms: 300, upstream_retries: 1, log_level: level, mcp: {} },
    },
    atEnd,
  );
  const traced = {
    OTEL_TRACES_EXPORTER: 'otlp,console',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector,
    OTEL_BSP_SCHEDULE_DELAY: '200',
  };
  const start = async (name: ServerName, port: number, cwd: string, more: Readonly<Record<string, string>>) => {
    const process = spawnServer({
      program: serverPrograms[name].file,
      args: ['serve'],
      cwd,
      env: { ...traced, TMPDIR: cwd, [portVariables[name]]: String(port), ...more },
    });
    atEnd(process.stop);
    const url = `http://127.0.0.1:${port}`;
    const isAlive = () =>
      askAs(
        url,
        {},
      )('/health/live').then(
        ({ status }) => status === 200,
        () => false,
      );
    await pollUntil(isAlive, { withinMs: 30_000, describe: () => `${name} is not alive: ${process.output()}` });
    return { ...process, url };
  };
  const { ROSTERGATE_SCHEDULING_ACCOUNTS_FILE = '' } = env;
  const servers: Readonly<Record<ServerName, ServerProcess & { readonly url: string }>> = {
    gateway: await start('gateway', gatewayPort, gateway, {
      UPSTREAM_KEY: upstreamKey,
      CLIENT_SECRET: clientSecret,
      LOGIN_PASSWORD: loginPassword,
      POLICY_SECRET: policyVariable,
      ROSTERGATE_PORTAL_CLIENT_SECRET: portalClient.client_secret,
      ROSTERGATE_WORKERS: level === 'debug' ? '2' : '1',
    }),
    'staff-proxy': await start('staff-proxy', proxyPort, proxy, {}),
    scheduling: await start('scheduling', schedulingPort, scheduling, {
      ROSTERGATE_SCHEDULING_ACCOUNTS_FILE,
      ROSTERGATE_SCHEDULING_DATABASE_FILE: join(scheduling, 'data', 'scheduling.sqlite'),
      ROSTERGATE_SCHEDULING_SEED: 'demo',
      ROSTERGATE_SCHEDULING_LOG_LEVEL: level,
    }),
  };
  const secrets: readonly Needle[] = [
    { place: 'a key written in the settings', secret: plainKey, mayBeIn: [] },
    { place: 'the client secret of the portal', secret: portalClient.client_secret, mayBeIn: [] },
    { place: 'a key for the upstream', secret: upstreamKey, mayBeIn: ['the upstream'] },
    { place: 'a client secret for the token endpoint', secret: clientSecret, mayBeIn: ['the upstream'] },
    { place: 'a password for the token endpoint', secret: loginPassword, mayBeIn: ['the upstream'] },
    { place: 'a header of a policy', secret: policyHeader, mayBeIn: ['the upstream'] },
    { place: 'an option of a policy', secret: policyOption, mayBeIn: ['the upstream'] },
    { place: 'a variable of the environment for a policy', secret: policyVariable, mayBeIn: ['the upstream'] },
    { place: 'a token of the upstream', secret: 'of-the-upstream-', mayBeIn: ['the upstream'] },
    { place: 'the password of Redis', secret: redisPassword, mayBeIn: [] },
    { place: 'a password of an account', secret: credentials.SCHEDULING_ADMIN_PASSWORD, mayBeIn: ['the upstream'] },
    { place: 'a password of another account', secret: credentials.SCHEDULING_PASSWORD, mayBeIn: ['the upstream'] },
    ...accessTokens.flatMap((one) =>
      one
        .split('.')
        .slice(1)
        .map((part) => ({ place: 'a part of an access token', secret: part, mayBeIn: [] })),
    ),
  ];
  return {
    servers,
    credentials,
    plainKey,
    adminKey,
    adminUrl: `http://127.0.0.1:${adminPort}`,
    accessTokens,
    secrets,
    folders: [gateway, proxy, scheduling],
  };
}

const signedPolicy = `import { definePolicy, z } from 'rostergate';
export default definePolicy({
  options: z.object({ secret: z.string() }),
  before(context, { secret }) {
    context.setRequestHeader('X-Signature', process.env.POLICY_SECRET);
    context.setRequestHeader('X-Option', secret);
  },
});
`;

/** Operations that agents can call as tools. */
export const toolOperations = ['getUpstreamByName', 'postUpstreamByName', 'getThrowsByWay', 'getPolicyByWay'] as const;

/** The ways in which an indiscreet service or policy puts the credential of its caller into errors. */
export const indiscreetWays = ['error', 'cause', 'problem', 'undeclared', 'library', 'list', 'late'] as const;

const indiscreetModules = {
  'services/_ways.ts': `import { Problem } from 'rostergate';
export function credentialOf({ headers }) {
  return headers['x-api-key'] ?? String(headers.authorization).replace(/^Bearer /, '');
}
export async function fail(way, credential, refused) {
  const error = new Error('The partner rejected the key ' + credential + '.');
  if (way === 'error') throw error;
  if (way === 'cause') throw refused('Use another key.', { cause: error });
  if (way === 'problem') throw refused('The partner rejected the key ' + credential + '.', { extensions: { credential } });
  if (way === 'undeclared') throw new Problem('not_found', 'There is no account of ' + credential + '.');
  if (way === 'library') new Headers({ 'X-Key': credential + '\\n\\0' });
  if (way === 'list') throw new AggregateError([error, new TypeError('fetch failed', { cause: error })], credential);
  await null;
  throw Object.assign(error, { code: 'PARTNER', key: credential });
}
`,
  'services/indiscreet.ts': `import { defineService, z } from 'rostergate';
import { credentialOf, fail } from './_ways.ts';
export default defineService({
  name: 'indiscreet', summary: 'x', parameters: z.object({ way: z.string() }), response: z.object({}),
  problems: { partner_failed: { status: 502, title: 'The partner failed' } },
  handle: ({ way }, { req }, { partner_failed }) => fail(way, credentialOf(req), partner_failed),
});
`,
  'services/policy.ts': `import { definePolicy, Problem } from 'rostergate';
import { credentialOf, fail } from './_ways.ts';
export default definePolicy({
  answers: { 502: 'The partner failed.' },
  before: ({ req }) => fail(req.url.split('/').at(-1), credentialOf(req), (...args) => new Problem('upstream_failed', ...args)),
});
`,
};
