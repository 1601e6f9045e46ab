import { isDeepStrictEqual } from 'node:util';
import { type Figure, toFigure } from '../../benchmark/src/figure.ts';
import { loadDemoCredentials } from '../../workspace/demo-credentials.mjs';
import { pickFreePorts } from '../../workspace/free-ports.ts';
import { addOtherCompany } from '../src/add-other-company.ts';
import { type AtEnd, makeTemporaryFolder } from '../src/at-end.ts';
import { createFile, createPostgresDatabase, type OwnDatabase } from '../src/database.ts';
import { askAs, logIn } from '../src/promises/ask-as.ts';
import { type CrossAttempt, crossCompanyAttempts } from '../src/promises/cross-company-attempts.ts';
import { definePromise, type Trial } from '../src/promises/define-promise.ts';
import { needPostgres } from '../src/promises/need-services.ts';
import { askRaw } from '../src/promises/raw-lane.ts';
import { tryHiddenParts } from '../src/promises/try-hidden-parts.ts';
import { type Ask, findPerson, type KnownPerson, readPerson } from '../src/staff/find-person.ts';
import { startServer } from '../src/start-server.ts';

/** Text that occurs only in the data of the other company. */
const mark = 'of-theirs-51d0';

export const promise = definePromise({
  number: 30,
  title: 'Companies are isolated from each other',
  done: 'Accounts of one company try every staff operation on people of another company by path, query, field and body, also at the OData root, in batches and by catalogues, on both databases and through the proxy; then the other company is read back. Proxy keys without the admin scope try every operation and option for tags, skills and profiles, with each form of upstream, through accounts that may see them and accounts that may not; in CI an acceptance test tries these',
  target: '0 cross-company reads or writes, 0 hidden names',
  async run(trial) {
    const postgres = await needPostgres(trial.atEnd);
    const figures = await tryDatabase('SQLite', await createFile(), trial);
    return [...figures, ...(await tryDatabase('PostgreSQL', await createPostgresDatabase(postgres.url), trial))];
  },
});

async function tryDatabase(name: string, database: OwnDatabase, trial: Trial): Promise<Figure[]> {
  const { atEnd, byScale, say, scale } = trial;
  const servers = await startServersOf(database, atEnd);
  const { ourKey, theirKey, us, them } = servers;
  const allOfTheirs = `/v2/staffmember?companyKey=${encodeURIComponent(theirKey)}&$expand=Tags,Skillset,Profiles`;
  const victims = Array.from({ length: byScale({ ci: 1, full: 4 }) }, (_, n) => n);
  const theirs: KnownPerson[] = [];
  for (const n of victims) {
    const found = await findPerson(them, theirKey, "startswith(StaffId,'S-')", n);
    const LastName = `${mark}-${n}`;
    await them(`/v2/staffmember/${encodeURIComponent(found.person.StaffKey)}`, { method: 'PUT', json: { LastName } });
    theirs.push({ ...found, person: { ...found.person, LastName } });
  }
  const ours = await findPerson(us, ourKey, "startswith(StaffId,'S-') and StaffId ge 'S-1500'");
  const readTheirs = async () => [
    (await them(allOfTheirs)).body,
    ...(await Promise.all(theirs.map(({ person }) => readPerson(them, person)))),
  ];
  const before = await readTheirs();
  // The keys that the requests use are known, and may be returned.
  const tried = new Set(theirs.flatMap(({ keys }) => Object.values(keys)));
  const onlyTheirs = new Set((await keysOfTheirsAlone(before[0], us, ourKey)).filter((key) => !tried.has(key)));
  const theirsIn = (text: string) =>
    [mark, ...(text.match(guids) ?? [])].filter((one) => (one === mark ? text.includes(mark) : onlyTheirs.has(one)));

  const [reads, succeeded]: [string[], string[]] = [[], []];
  const operations = new Set<string>();
  let count = 0;
  for (const { who, url, fields } of servers.callers) {
    const { host } = new URL(url);
    const attempts = theirs.flatMap((one) => crossCompanyAttempts({ ourKey, theirKey, ours, theirs: one }));
    const requests = attempts.map((attempt) => {
      const body = attempt.json === undefined ? '' : JSON.stringify(attempt.json);
      const sized = body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`];
      const all = [`Host: ${host}`, ...fields, ...attempt.fields, ...sized];
      return { method: attempt.method, target: attempt.path, fields: all, body, attempt };
    });
    await askRaw(
      url,
      requests,
      ({ attempt, target, body: sent }, { status, head, body }) => {
        count++;
        operations.add(attempt.operationId);
        const request = `${who}: ${describe(attempt)} is ${status}`;
        if (status === 0) throw new Error(`${request}: ${head}`);
        const asked = decodeURIComponent(target.replaceAll('+', ' ')) + sent;
        const leaked = theirsIn(body).find((text) => !asked.includes(text));
        if (leaked !== undefined) reads.push(`${request} and contains ${leaked}`);
        if (attempt.isOnTheirs && status < 400) succeeded.push(request);
      },
      6,
    );
  }
  const after = await readTheirs();
  const changed = after.flatMap((one, n) => (isDeepStrictEqual(one, before[n]) ? [] : [n]));
  // Their data in our person is a later read.
  const taken = theirsIn(JSON.stringify(await readPerson(us, ours.person)));
  say(`${name}: ${count} attempts`);
  const firstOf = (faults: readonly string[]) => faults.slice(0, 3).join('; ');
  return [
    toFigure(
      { name: `cross-company reads with ${name}`, unit: '', max: 0 },
      reads.length + taken.length,
      firstOf([...reads, ...taken]),
    ),
    toFigure(
      { name: `cross-company writes with ${name}`, unit: '', max: 0 },
      succeeded.length + changed.length,
      firstOf([...succeeded, ...changed.map((n) => `reading ${n} has changed`)]),
    ),
    toFigure({ name: 'operations', unit: '', min: 18 }, operations.size),
    toFigure({ name: 'attempts', unit: '', min: byScale({ ci: 1_000, full: 10_000 }) }, count),
    // Runs last, because it renames the hidden parts. In CI hidden-from-keys.test.ts tries as many.
    ...(scale === 'ci' ? [] : await tryHidden(name, servers, database, trial)),
  ];
}

async function tryHidden(
  name: string,
  servers: TenancyServers,
  database: OwnDatabase,
  trial: Trial,
): Promise<Figure[]> {
  const { say, atEnd } = trial;
  const { apiUrl, credentials, us: admin } = servers;
  const people = 4;
  const found = await tryHiddenParts({ apiUrl, credentials, admin, database, people, atEnd });
  say(`${name}: ${found.attempts} attempts on hidden data`);
  const firstOf = (faults: readonly string[]) => faults.slice(0, 3).join('; ');
  return [
    toFigure(
      { name: `hidden names disclosed with ${name}`, unit: '', max: 0 },
      found.disclosed.length,
      firstOf(found.disclosed),
    ),
    toFigure(
      { name: `responses that depend on hidden data with ${name}`, unit: '', max: 0 },
      found.differing.length,
      firstOf(found.differing),
    ),
    toFigure({ name: 'names shown to keys with the scope', unit: '', min: 50 * people }, found.shownToAdmins),
    toFigure({ name: 'attempts on hidden data', unit: '', min: 1_000 * people }, found.attempts),
  ];
}

function describe({ method, path, json }: CrossAttempt): string {
  return `${method} ${path} ${json === undefined ? '' : JSON.stringify(json)}`.slice(0, 300);
}

const guids = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

/** Returns the keys that only their data contains: the demo companies share much data. */
async function keysOfTheirsAlone(people: unknown, us: Ask, ourKey: string): Promise<string[]> {
  const { body } = await us(`/v2/staffmember?companyKey=${encodeURIComponent(ourKey)}&$expand=Tags,Skillset,Profiles`);
  const ours = new Set(JSON.stringify(body).match(guids));
  const alone = [...new Set(JSON.stringify(people).match(guids))].filter((key) => !ours.has(key));
  if (alone.length < 10) throw new Error('Their data does not differ from ours.');
  return alone;
}

type TenancyServers = Awaited<ReturnType<typeof startServersOf>>;

/** Starts an API and a proxy in front of it; returns them with the callers. */
async function startServersOf(database: OwnDatabase, atEnd: AtEnd) {
  atEnd(database.drop);
  const folder = await makeTemporaryFolder('rostergate-tenancy-', atEnd);
  const { credentials, env } = await loadDemoCredentials(folder);
  const otherCompany = await addOtherCompany(credentials, env);
  const { ROSTERGATE_SCHEDULING_DATABASE_FILE: _, ...accounts } = env;
  const [apiPort, proxyPort] = await pickFreePorts(3);
  const api = await startServer({ name: 'scheduling', port: apiPort, env: { ...accounts, ...database.env } });
  atEnd(api.stop);
  const proxyEnv = { ...env, ROSTERGATE_PROXY_UPSTREAM_URL: api.url, ROSTERGATE_PROXY_RATE_LIMIT_ENABLED: 'false' };
  const proxy = await startServer({ name: 'staff-proxy', port: proxyPort, env: proxyEnv });
  atEnd(proxy.stop);
  const admin = await logIn(api.url, credentials.SCHEDULING_ADMIN_EMAIL, credentials.SCHEDULING_ADMIN_PASSWORD);
  const reader = await logIn(api.url, credentials.SCHEDULING_EMAIL, credentials.SCHEDULING_PASSWORD);
  const proxyToken = await logIn(proxy.url, 'admin', credentials.STAFF_PROXY_ADMIN_KEY);
  const bearer = ({ Authorization }: { readonly Authorization: string }) => [`Authorization: ${Authorization}`];
  return {
    apiUrl: api.url,
    credentials,
    ourKey: credentials.COMPANY_KEY,
    theirKey: otherCompany.companyKey,
    us: askAs(api.url, admin),
    them: askAs(api.url, await logIn(api.url, otherCompany.email, otherCompany.password)),
    callers: [
      { who: 'admin at the API', url: api.url, fields: bearer(admin) },
      { who: 'reader at the API', url: api.url, fields: bearer(reader) },
      { who: 'admin at the proxy', url: proxy.url, fields: [`X-API-Key: ${credentials.STAFF_PROXY_ADMIN_KEY}`] },
      { who: 'reader at the proxy', url: proxy.url, fields: [`X-API-Key: ${credentials.STAFF_PROXY_KEY}`] },
      { who: 'admin at the proxy by a token', url: proxy.url, fields: bearer(proxyToken) },
    ],
  };
}
