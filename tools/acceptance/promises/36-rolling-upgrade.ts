import { type Figure, toFigure } from '../../benchmark/src/figure.ts';
import { askAs } from '../src/promises/ask-as.ts';
import { definePromise, type Trial } from '../src/promises/define-promise.ts';
import { connectOldServer } from '../src/promises/old-server/old-server.ts';
import { openStaffServers, tryBothDatabases } from '../src/promises/staff-servers.ts';
import type { Ask } from '../src/staff/find-person.ts';

export const promise = definePromise({
  number: 36,
  title: 'A rolling upgrade serves no stale data',
  done: 'The previous version, by its SQL statements, and a server of this version write people and tags of one database in turn, on SQLite and on PostgreSQL. Both read the person after each write; the whole company is read at intervals and after a restart',
  target: '0 stale reads',
  run: (trial) => tryBothDatabases(trial, tryDatabase),
});

interface Person {
  readonly StaffKey: string;
  readonly City: string | null;
}

async function tryDatabase(
  name: string,
  databaseEnv: Readonly<Record<string, string>>,
  { byScale, random, atEnd }: Trial,
): Promise<Figure[]> {
  const writes = byScale({ ci: 100, full: 1_000 });
  const servers = await openStaffServers(databaseEnv, atEnd, 'demo');
  const server = await servers.start();
  const field = await servers.logIn(server);
  const { companyKey } = servers;
  const old = await connectOldServer(databaseEnv, companyKey);
  atEnd(old.close);
  const ask = askAs(server.url, field);
  const people = await listAll(ask, companyKey);
  const keys = people.map(({ StaffKey }) => String(StaffKey)).slice(0, 60);
  // A response with $select is built from the tables.
  const everyMember = `&$select=${Object.keys(people[0] ?? {}).join(',')}`;
  const stale: string[] = [];
  let reads = 0;

  async function check(ask: Ask, key: string, expected: Readonly<Record<string, unknown>>): Promise<void> {
    const path = `/v2/staffmember/${key}?$expand=Tags`;
    const { status, body } = await ask(path);
    const { body: listed } = await ask(`/v2/staffmember?companyKey=${companyKey}&$filter=StaffKey eq '${key}'`);
    const { body: built } = await ask(path + everyMember);
    reads += 3;
    const seen = JSON.stringify([
      status,
      body.City,
      listed.map(({ StaffKey, City }: Person) => [StaffKey, City]),
      body,
    ]);
    const wanted = JSON.stringify([200, expected.City, [[key, expected.City]], built]);
    if (seen !== wanted) stale.push(`${key}: ${seen} instead of ${wanted}`);
  }

  for (let i = 0; i < writes; i++) {
    const isOld = random.chance(0.5);
    let key = random.pick(keys);
    let City: string | null = `City ${i}`;
    if (isOld && random.chance(0.1)) {
      key = random.guid();
      await old.create(`old-${i}`, key);
      keys.push(key);
      City = null;
    } else if (isOld) {
      await old.setCity(key, City);
      if (random.chance(0.3)) await old.addTag(key);
    } else {
      const { status } = await ask(`/v2/staffmember/${key}`, { method: 'PUT', json: { City } });
      if (status !== 200) throw new Error(`The status of a change is ${status}.`);
      if ((await old.readCity(key)) !== City) stale.push(`${key} at the old version`);
      reads++;
    }
    await check(ask, key, { City });
    if (i % 50 === 0) await checkAll(ask);
  }
  await checkAll(ask);
  await server.stop();
  const next = await servers.start();
  await checkAll(askAs(next.url, field));
  return [
    toFigure({ name: `stale reads with ${name}`, unit: '', max: 0 }, stale.length, stale[0]?.slice(0, 300)),
    toFigure({ name: `reads with ${name}`, unit: '', min: 3 * writes }, reads),
  ];

  /** Compares the stored documents with those built from the tables. */
  async function checkAll(ask: Ask): Promise<void> {
    const stored = await listAll(ask, companyKey);
    const built = await listAll(ask, companyKey, everyMember);
    reads += 2;
    if (JSON.stringify(stored) !== JSON.stringify(built)) stale.push('the whole company');
  }
}

async function listAll(ask: Ask, companyKey: string, more = ''): Promise<readonly Record<string, unknown>[]> {
  const { status, body } = await ask(`/v2/staffmember?companyKey=${companyKey}&$expand=Tags${more}`);
  if (status !== 200) throw new Error(`The status of the company is ${status}: ${JSON.stringify(body)}.`);
  return body;
}
