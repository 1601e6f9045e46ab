import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { judge } from '../../benchmark/src/figure.ts';
import { pickFreePort } from '../../workspace/free-ports.ts';
import type { AtEnd } from '../src/at-end.ts';
import { pollUntil } from '../src/poll-until.ts';
import { askAs, logIn } from '../src/promises/ask-as.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { overrideFields } from '../src/promises/override-fields.ts';
import { mutatePath } from '../src/promises/path-mutations.ts';
import { askRaw, type RawAnswer, type RawRequest } from '../src/promises/raw-lane.ts';
import { type SecuredOperation, securedOperations } from '../src/promises/secured-operations.ts';
import { serverPrograms } from '../src/server-programs.ts';
import { goodKey, spawnGateway } from '../src/spawn-gateway.ts';
import { findPerson } from '../src/staff/find-person.ts';
import { startServer } from '../src/start-server.ts';
import { type RunningServers, startServers } from '../src/start-servers.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'get'];

/** What only somebody who is let in can read. */
const marker = 'behind-the-door-7c1f';

interface House {
  readonly name: string;
  readonly url: string;
  readonly goodKey: string;
  readonly doors: readonly SecuredOperation[];
  /** Fields that carry a credential which opens none of the doors, by what is wrong with it. */
  readonly strangers: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Doors that are of the stranger's own company as well: what is ours must not be in their answers. */
  readonly shared: readonly string[];
}

interface Attempt extends RawRequest {
  readonly stranger: string;
  readonly door: SecuredOperation;
}

export const promise = definePromise({
  number: 17,
  title: 'No unauthenticated answer from a protected route',
  done: 'every protected route by every method, spelling of its path and field that claims something, without a key, with a revoked, an expired and another company’s: all of them in full, in CI one in 24 that each run draws anew',
  target: '0 leaks',
  async run({ often, random, atEnd, say }) {
    const houses = [await openGateway(atEnd), ...(await openStaffServers(atEnd))];
    const keptOf = often({ ci: 24, full: 1 });
    const offset = random.integer(0, 2 ** 31 - 1);
    if (keptOf > 1) say(`one in ${keptOf} by offset ${offset}`);
    let [sent, refused] = [0, 0];
    const [leaks, unanswered]: [string[], string[]] = [[], []];
    const tryHouse = async (house: House) => {
      const { name, url, doors } = house;
      const openAnswers = await readOpenAnswers(url);
      const attempts = attemptsOn(house).filter((_, n) => isKept(n + offset, keptOf));
      await askRaw(url, attempts, (attempt, answer) => {
        sent++;
        const { stranger, method, target, fields } = attempt;
        const { status, head } = answer;
        const describe = () => `${name}, ${stranger}: ${method} ${target} [${fields.join(', ')}] is ${status}`;
        if (status === 401 || status === 403) refused++;
        if (status === 0) unanswered.push(`${describe()}: ${head}`);
        if (isLeak(house, attempt, answer, openAnswers)) leaks.push(describe());
      });
      // Whoever has died lets nobody in either.
      const alive = await fetch(`${url}/health/live`).then((answer) => answer.status, String);
      if (alive !== 200) unanswered.push(`${name} is not alive afterwards: ${alive}`);
      say(`${name}: ${attempts.length} attempts on ${doors.length} doors`);
    };
    await Promise.all(houses.map(tryHouse));
    for (const fault of [...leaks, ...unanswered].slice(0, 20)) say(fault);
    return [
      judge({ name: 'leaks', unit: '', max: 0 }, leaks.length, leaks.slice(0, 3).join('; ')),
      judge({ name: 'without an answer', unit: '', max: 0 }, unanswered.length, unanswered.slice(0, 3).join('; ')),
      judge({ name: 'requests', unit: '', min: often({ ci: 10_000, full: 400_000 }) }, sent),
      judge({ name: 'refused for the key', unit: '', min: sent / 5 }, refused),
    ];
  },
});

/** Every spelling by every method, every claim by every method, and claims on what is open to all. */
function attemptsOn({ url, doors, strangers, goodKey: key }: House): Attempt[] {
  const { host } = new URL(url);
  return Object.entries(strangers).flatMap(([stranger, credential]) => {
    const always = [`Host: ${host}`, ...Object.entries(credential).map(([name, value]) => `${name}: ${value}`)];
    return doors.flatMap((door): Attempt[] => {
      const claims = overrideFields(door.path, key);
      const spellings = [...mutatePath(door.path, host), ...keysInQuery.map((name) => `${door.path}?${name}=${key}`)];
      return [
        ...methods.flatMap((method) => [
          ...spellings.map((target) => ({ stranger, door, method, target, fields: always })),
          ...claims.map((claim) => ({ stranger, door, method, target: door.path, fields: [...always, claim] })),
        ]),
        ...claims.map((claim) => ({
          stranger,
          door,
          method: 'GET',
          target: '/health/live',
          fields: [...always, claim],
        })),
      ];
    });
  });
}

/** One in so many, without the rhythm that would meet the same spelling at every door. */
function isKept(n: number, keptOf: number): boolean {
  return (Math.imul(n, 0x9e3779b1) >>> 8) % keptOf === 0;
}

const keysInQuery = ['X-API-Key', 'api_key', 'apikey', 'key', 'access_token', 'token', 'Authorization'];

function isLeak(
  house: House,
  attempt: Attempt,
  { status, body }: RawAnswer,
  openAnswers: ReadonlySet<string>,
): boolean {
  if (body.includes(marker)) return true;
  // That there was no answer is a fault of its own.
  if (status === 0 || status >= 400) return false;
  if (attempt.method === 'OPTIONS' && status === 204) return false;
  if (attempt.stranger === 'of another company' && house.shared.includes(attempt.door.operationId)) return false;
  return !openAnswers.has(shapeOf(body));
}

/** What everybody may read anyway. */
async function readOpenAnswers(url: string): Promise<ReadonlySet<string>> {
  const paths = ['/', '/health', '/health/live', '/health/ready', '/docs', '/redoc', '/openapi.json'];
  return new Set(await Promise.all(paths.map(async (path) => shapeOf(await (await fetch(url + path)).text()))));
}

function shapeOf(body: string): string {
  return body.replaceAll(/\d+/g, '0');
}

const sha256 = (key: string) => createHash('sha256').update(key).digest('hex');
const longAgo = '2020-01-01T00:00:00Z';

async function openGateway(atEnd: AtEnd): Promise<House> {
  const otherKey = 'acceptance-key-of-another-company';
  const entry = (name: string, more: object) => ({ name, owner: name, sha256: sha256(`key-${name}`), ...more });
  const keys = [entry('revoked', { revoked_at: longAgo }), entry('expired', { expires_at: longAgo })];
  const fixed = { service: 'static', requires_auth: true, parameters: { answer: { marker } } };
  const gateway = await spawnGateway(
    {
      settings: { metrics_requires_auth: true, log_sample_every: 100_000 },
      files: { 'keys.json': JSON.stringify({ keys }) },
      endpoints: [
        { path: '/vault/stock', ...fixed },
        { path: '/vault/stock', method: 'POST', ...fixed },
        { path: '/vault/{symbol}/price', service: 'crypto', requires_auth: true },
        { path: '/vault/kept', ...fixed, cache_seconds: 600 },
        { path: '/vault/echo', method: 'POST', service: 'echo', requires_auth: true },
        {
          path: '/theirs',
          service: 'static',
          requires_auth: true,
          api_keys: otherKey,
          parameters: { answer: 'theirs' },
        },
      ],
    },
    atEnd,
  );
  const { url } = gateway;
  // A kept answer is there for whoever may have it, and for nobody else.
  for (const path of ['/vault/stock', '/vault/kept']) {
    const { status, body } = await askAs(url, { 'X-API-Key': goodKey })(path);
    if (status !== 200 || body.marker !== marker) throw new Error(`${path} is ${status} for the right key.`);
  }
  const doors = (await securedOperations(url)).filter(({ path }) => path !== '/theirs');
  const strangers = {
    'without a key': {},
    'by a revoked key': { 'X-API-Key': 'key-revoked' },
    'by an expired key': { Authorization: 'Bearer key-expired' },
    'of another company': { 'X-API-Key': otherKey },
  };
  return { name: 'gateway', url, goodKey, doors, strangers, shared: [] };
}

async function openStaffServers(atEnd: AtEnd): Promise<House[]> {
  const servers = await startServers({ ROSTERGATE_PROXY_RATE_LIMIT_ENABLED: 'false' });
  atEnd(servers.stop);
  const { urls, credentials, stranger } = servers;
  const { SCHEDULING_ADMIN_EMAIL, SCHEDULING_ADMIN_PASSWORD, STAFF_PROXY_ADMIN_KEY, COMPANY_KEY } = credentials;
  const admin = await logIn(urls.scheduling, SCHEDULING_ADMIN_EMAIL, SCHEDULING_ADMIN_PASSWORD);
  const ask = askAs(urls.scheduling, admin);
  const { keys, person } = await findPerson(ask, COMPANY_KEY, "startswith(StaffId,'S-')");
  const path = `/v2/staffmember/${encodeURIComponent(person.StaffKey)}`;
  const marked = await ask(path, { method: 'PUT', json: { City: marker } });
  if (marked.status !== 200) throw new Error(`A person could not be changed: ${marked.status}`);
  const read = await askAs(urls['staff-proxy'], { 'X-API-Key': STAFF_PROXY_ADMIN_KEY })(path);
  if (read.body.City !== marker) throw new Error(`The proxy answers ${read.status} for the right key.`);

  const shared = ['listStaffMembers', 'createStaffMember'];
  const [atProxy, atApi] = [await endedKeys(servers), await endedTokens(servers)];
  return [
    {
      name: 'staff-proxy',
      url: urls['staff-proxy'],
      goodKey: STAFF_PROXY_ADMIN_KEY,
      doors: await securedOperations(urls['staff-proxy'], keys),
      strangers: { 'without a key': {}, ...atProxy, 'of another company': { 'X-API-Key': stranger.proxyKey } },
      shared,
    },
    {
      name: 'scheduling',
      url: urls.scheduling,
      goodKey: admin.Authorization.slice('Bearer '.length),
      doors: await securedOperations(urls.scheduling, keys),
      strangers: {
        'without a key': {},
        ...atApi,
        'of another company': await logIn(urls.scheduling, stranger.email, stranger.password),
      },
      shared,
    },
  ];
}

/** Of the proxy: a key and a token that were good until the keys file said otherwise, and a key whose time has passed. */
async function endedKeys({ urls, env }: RunningServers): Promise<House['strangers']> {
  const url = urls['staff-proxy'];
  const file = env.ROSTERGATE_PROXY_KEYS_FILE as string;
  const content = JSON.parse(await readFile(file, 'utf8'));
  const key = (name: string, more: object) => ({
    name,
    owner: name,
    account: 'admin',
    sha256: sha256(`key-${name}`),
    ...more,
  });
  const write = (revoked_at: string | null) =>
    writeFile(
      file,
      JSON.stringify({
        ...content,
        keys: [...content.keys, key('revoked', { revoked_at }), key('expired', { expires_at: longAgo })],
      }),
    );
  const ask = askAs(url, { 'X-API-Key': 'key-revoked' });
  const until = (wanted: number) =>
    pollUntil(async () => (await ask('/v2/staffmember?$top=1')).status === wanted, {
      withinMs: 20_000,
      describe: () => `the key that is revoked is not ${wanted}`,
    });
  await write(null);
  await until(200);
  const token = await logIn(url, 'revoked', 'key-revoked');
  await write(longAgo);
  await until(401);
  return {
    'by a revoked key': { 'X-API-Key': 'key-revoked' },
    'by a token of a revoked key': token,
    'by an expired key': { Authorization: 'Bearer key-expired' },
  };
}

/** Of the API: a token that was used before its account was disabled, and one whose time has passed. */
async function endedTokens({ urls, env, credentials }: RunningServers): Promise<House['strangers']> {
  const { SCHEDULING_EMAIL, SCHEDULING_PASSWORD, SCHEDULING_ADMIN_EMAIL, SCHEDULING_ADMIN_PASSWORD } = credentials;
  const shortLived = { ...env, ROSTERGATE_SCHEDULING_TOKEN_LIFETIME_S: '1' };
  const other = await startServer({ name: 'scheduling', port: await pickFreePort(), env: shortLived });
  const expired = await logIn(other.url, SCHEDULING_ADMIN_EMAIL, SCHEDULING_ADMIN_PASSWORD);
  await other.stop();
  const disabled = await logIn(urls.scheduling, SCHEDULING_EMAIL, SCHEDULING_PASSWORD);
  const ask = (token: Readonly<Record<string, string>>) =>
    askAs(urls.scheduling, token)(`/v2/staffmember?$top=1&companyKey=${credentials.COMPANY_KEY}`);
  if ((await ask(disabled)).status !== 200) throw new Error('A token is not good though its account is.');
  const args = ['--conditions=source', serverPrograms.scheduling.file, 'accounts', 'disable', SCHEDULING_EMAIL];
  await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } });
  const isEnded = async () => [(await ask(disabled)).status, (await ask(expired)).status].every((one) => one === 401);
  await pollUntil(isEnded, { withinMs: 15_000, describe: () => 'tokens that have ended are still good' });
  // What is remembered of a token for a while has passed for both.
  await wait(100);
  return { 'by a token of a disabled account': disabled, 'by an expired token': expired };
}
