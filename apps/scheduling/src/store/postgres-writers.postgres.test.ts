import { Problem } from '@rostergate/server/problem';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { parseStaffQuery, plainQuery } from '../staff-query.ts';
import { versionTag } from './person-version.ts';
import { lockCompany } from './postgres-flavour.ts';
import { createPostgresPool } from './postgres-pool.ts';
import { openPostgresStore } from './postgres-store.ts';
import type { StaffStore } from './staff-store.ts';
import { demo, jsonOf, list, rejection, writer } from './suite/store-kit.contract.ts';
import type { Tables } from './tables.ts';

let database: TestDatabase;
let stores: readonly [StaffStore, StaffStore];
const open = async (statementTimeoutMs = 5_000) =>
  (await openPostgresStore({ url: database.url, connectionsMax: 4, statementTimeoutMs })).store;

beforeAll(async () => {
  database = await createTestDatabase();
  // Each store acts as a process: they share only the database.
  const [one, other] = await Promise.all([open(), open(), open().then((store) => store.close())]);
  stores = [one, other];
});
afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()));
  await database.drop();
});

/** Runs the work repeatedly and concurrently, half in each store; a rejected write yields the Problem's code. */
function race<T>(times: number, work: (store: StaffStore, i: number) => Promise<T>): Promise<(T | string)[]> {
  const attempt = async (i: number) => {
    try {
      return await work(stores[i % 2] as StaffStore, i);
    } catch (error) {
      if (error instanceof Problem) return error.code;
      throw error;
    }
  };
  return Promise.all(Array.from({ length: times }, (_, i) => attempt(i)));
}

describe('several processes on one PostgreSQL', () => {
  it('seed a company once, and assign higher numbers to later rows', async () => {
    const seeded = await race(4, (store) =>
      store.seedDemo({ companyKey: demo, companies: 2, staff: 30, otherStaff: 5 }),
    );
    expect(seeded.reduce<number>((sum, one) => sum + Number(one), 0)).toBe(35);
    const added = await race(10, async (store, i) => {
      const { staffKey } = await store.createStaff(writer, { StaffId: `N-${i}` });
      await store.createPayModifier(writer, staffKey, { PositionId: 'P' });
      return staffKey;
    });
    expect(new Set(added).size).toBe(10);
    const [person] = await list(stores[0], { companyKey: demo, isAdmin: true }, "$filter=StaffId eq 'N-3'");
    expect(person?.StaffKey).toBe(added[3]);
  });

  it('may seed while others write', async () => {
    const outcomes = await race(12, async (store, i) => {
      if (i === 3) return store.seedDemo({ companyKey: 'late', companies: 1, staff: 200 });
      return (await store.createStaff(writer, { StaffId: `W-${i}` })).isNew;
    });
    expect(outcomes.filter((one) => one === true)).toHaveLength(11);
    expect(outcomes[3]).toBe(200);
  });

  it('let one of many create the same person', async () => {
    const outcomes = await race(10, async (store) => (await store.createStaff(writer, { StaffId: 'S-one' })).isNew);
    expect(outcomes.toSorted()).toEqual([...new Array(9).fill('conflict'), true]);
  });

  it('let one of many succeed with the same version', async () => {
    const { staffKey } = await stores[0].createStaff(writer, { StaffId: 'S-version' });
    const before = await stores[0].readStaff(writer, staffKey, plainQuery);
    const scope = { ...writer, ifMatch: [versionTag(before)] };
    const outcomes = await race(10, async (store, i) => {
      return jsonOf(await store.updateStaff(scope, staffKey, { City: `City ${i}` })).City as string;
    });
    expect(outcomes.filter((one) => one === 'precondition_failed')).toHaveLength(9);
    const after = await stores[1].readStaff(writer, staffKey, plainQuery);
    expect(after.revision).toBe(before.revision + 1);
    expect(outcomes).toContain(jsonOf(after).City);
  });

  it('lose no change when many change one person', async () => {
    const { staffKey } = await stores[0].createStaff(writer, { StaffId: 'S-many' });
    const { revision } = await stores[0].readStaff(writer, staffKey, plainQuery);
    const fields = ['City', 'State', 'Zip', 'Addr1', 'Addr2', 'Pager', 'Npi', 'Email', 'HomePhone', 'MobilePhone'];
    await race(10, (store, i) => store.updateStaff(writer, staffKey, { [fields[i] as string]: `value ${i}` }));
    const after = await stores[1].readStaff(writer, staffKey, plainQuery);
    expect(after.revision).toBe(revision + 10);
    expect(fields.map((field) => jsonOf(after)[field])).toEqual(fields.map((_, i) => `value ${i}`));
  });

  it('never close a cycle of managers', async () => {
    for (let round = 0; round < 10; round++) {
      const ring = await Promise.all(
        [0, 1, 2, 3].map(async (i) => (await stores[0].createStaff(writer, { StaffId: `R-${round}-${i}` })).staffKey),
      );
      const outcomes = await race(4, async (store, i) => {
        await store.setManager(writer, ring[i] as string, { ManagerKey: ring[(i + 1) % 4] as string });
        return 'set';
      });
      expect(outcomes.toSorted()).toEqual(['set', 'set', 'set', 'validation_failed']);
    }
  });

  it('write an audit row for each write, in the order of the writes', async () => {
    const { staffKey } = await stores[0].createStaff(writer, { StaffId: 'S-audit' });
    await race(8, (store, i) => store.updateStaff({ ...writer, requestId: `q-${i}` }, staffKey, { City: `City ${i}` }));
    const rows = (await stores[0].listAudit(demo, { limit: 8 })).filter((row) => row.staffKey === staffKey);
    expect(rows).toHaveLength(8);
    const { City } = jsonOf(await stores[0].readStaff(writer, staffKey, plainQuery));
    expect(rows[0]?.requestId.replace('q-', 'City ')).toBe(City);
  });
});

describe('a PostgreSQL that delays a company', () => {
  const connect = () =>
    new Kysely<Tables>({
      dialect: new PostgresDialect({
        pool: createPostgresPool({ url: database.url, connectionsMax: 1, statementTimeoutMs: 0 }),
      }),
    });

  it('rejects a write with 503 at the deadline, delays no other company, and recovers', async () => {
    const other = connect();
    const store = await open(3_000);
    const { staffKey } = await store.createStaff(writer, { StaffId: 'S-wait' });
    await other.transaction().execute(async (trx) => {
      await lockCompany(trx, demo);
      const [stuck] = await Promise.all([
        rejection(store.updateStaff(writer, staffKey, { City: 'Bern' })),
        store.createStaff({ ...writer, companyKey: 'late' }, { StaffId: 'S-other' }),
        store.readStaff(writer, staffKey, plainQuery),
      ]);
      expect([stuck.code, stuck.headers]).toEqual(['unavailable', { 'Retry-After': '1' }]);
    });
    expect(jsonOf(await store.updateStaff(writer, staffKey, { City: 'Bern' })).City).toBe('Bern');
    await store.close();
    await other.destroy();
  });

  it('keeps connections free for other companies: waiting writers hold none', async () => {
    const other = connect();
    const store = await open(3_000);
    await other.transaction().execute(async (trx) => {
      await lockCompany(trx, demo);
      const writes = Array.from({ length: 20 }, (_, i) => rejection(store.createStaff(writer, { StaffId: `Q-${i}` })));
      const query = parseStaffQuery('$top=1', { clock: Date.now });
      const reads = Array.from({ length: 20 }, () => store.listStaff(writer, query));
      for (const { size } of await Promise.all(reads)) expect(size).toBe(1);
      const codes = (await Promise.all(writes)).map(({ code }) => code);
      expect(codes).toEqual(new Array(20).fill('unavailable'));
    });
    await store.close();
    await other.destroy();
  });

  it('compiles no statement, which would take seconds without a limit', async () => {
    const db = connect();
    expect((await sql`SHOW jit`.execute(db)).rows).toEqual([{ jit: 'off' }]);
    await db.destroy();
  });

  it('stamps a write after its wait, later than the write before it', async () => {
    const other = connect();
    const { staffKey } = await stores[0].createStaff(writer, { StaffId: 'S-stamp' });
    let written: ReturnType<StaffStore['createStaff']> | undefined;
    let later = '';
    await other.transaction().execute(async (trx) => {
      await lockCompany(trx, demo);
      written = stores[0].createStaff(writer, { StaffId: 'S-stamp-2' });
      const isWaiting = async () => {
        const waiting = sql<{
          n: number;
        }>`select count(*) as n from pg_locks where locktype = 'advisory' and not granted`;
        return Number((await waiting.execute(trx)).rows[0]?.n) > 0;
      };
      await expect.poll(isWaiting).toBe(true);
      later = new Date(Date.now() + 60_000).toISOString().slice(0, -1);
      await trx.updateTable('staff').set({ LastModifiedDateUtc: later }).where('StaffKey', '=', staffKey).execute();
    });
    await other.destroy();
    const { LastModifiedDateUtc } = jsonOf((await written) as Awaited<typeof written & object>);
    expect(Date.parse(LastModifiedDateUtc)).toBe(Date.parse(`${later}Z`) + 1);
  });

  it('may change its tables under prepared statements', async () => {
    const store = await open();
    const { staffKey } = await store.createStaff(writer, { StaffId: 'S-plan' });
    for (let i = 0; i < 3; i++) await store.updateStaff(writer, staffKey, { City: `City ${i}` });
    const other = connect();
    await other.schema.alterTable('staff').addColumn('OfTomorrow', 'text').execute();
    expect(jsonOf(await store.updateStaff(writer, staffKey, { City: 'Bern' })).City).toBe('Bern');
    await other.destroy();
    await store.close();
  });

  it('rejects a query that takes too long with 400', async () => {
    const store = await open(100);
    await stores[0].seedDemo({ companyKey: 'large', companies: 1, staff: 1_000 });
    const filter =
      'Tags/any(a:$it/Tags/any(b:$it/Tags/any(c:$it/Skillset/any(d:contains(concat(a/CategoryName,b/CategoryName),concat(c/CategoryName,d/TaskName))))))';
    const query = parseStaffQuery(`$filter=${filter}`, { clock: Date.now });
    const { code } = await rejection(store.listStaff({ companyKey: 'large', isAdmin: true }, query));
    expect(code).toBe('query_too_costly');
    await store.close();
  });
});
