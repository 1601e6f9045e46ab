import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CompanyFile, companyFiles } from '../company-files/company-file.ts';
import { openCompanyRows } from '../company-files/read-company-file.ts';
import { parseStaffQuery, plainQuery } from '../staff-query.ts';
import { openSqliteStore } from './sqlite-store.ts';
import type { StaffStore } from './staff-store.ts';

const scope = { companyKey: 'demo', isAdmin: true };
const parse = (query: string) => parseStaffQuery(query, { clock: Date.now });
/** All skills of a person, nested four times, several times over. */
const test = "concat(a/TaskKey,b/TaskKey) eq concat(c/TaskKey,concat('-',d/TaskKey))";
const nested = `Skillset/any(a:Skillset/any(b:Skillset/any(c:Skillset/any(d:${test}))))`;
const bomb = Array.from({ length: 6 }, () => nested).join(' or ');

describe.each([':memory:', 'a file'])('SQLite in %s', (place) => {
  let folder: string;
  let store: StaffStore;
  let costly: StaffStore;
  let key: string;
  const closing: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scheduling-'));
    const file = place === ':memory:' ? place : join(folder, 'staff.sqlite');
    const seed = { companyKey: 'demo', companies: 1, staff: 300, skills: 8, tags: 8 };
    const opened = await openSqliteStore({ file, statementTimeoutMs: 450 });
    ({ store } = opened);
    closing.push(() => store.close());
    await store.seedDemo(seed);
    if (place === ':memory:') costly = store;
    else {
      ({ store: costly } = await openSqliteStore({ file, statementTimeoutMs: 450 }));
      closing.push(() => costly.close());
    }
    const people = await store.listStaff(scope, parse('$top=1&$select=StaffKey'));
    for await (const slice of people.slices()) key = JSON.parse(Buffer.from(slice).toString().slice(1)).StaffKey;
  });
  afterAll(async () => {
    for (const close of closing) await close();
    await rm(folder, { recursive: true });
  });

  it.each([
    `$filter=${bomb}`,
    `$orderby=(${bomb}) desc`,
    `$count=true&$top=0&$filter=${bomb}`,
    `$filter=matchesPattern(ContactInstructions,'(a|aa|aaa)*b') or ${bomb}`,
  ])('stops %s at its time limit, and lets other requests run meanwhile', async (query) => {
    let isOver = false;
    const work = costly.listStaff(scope, parse(query)).finally(() => {
      isOver = true;
    });
    const rejected = expect(work).rejects.toMatchObject({ code: 'query_too_costly' });
    let answered = 0;
    while (!isOver) {
      await store.readStaff(scope, key, plainQuery);
      answered++;
      await nextTurn();
    }
    await rejected;
    expect(answered).toBeGreaterThan(5);
  });

  it.skipIf(place === ':memory:')('serves reads during a long import, and shows none of its rows', async () => {
    const file = companyFiles.find(({ name }) => name === 'badges') as CompanyFile;
    const rows = Array.from({ length: 6_000 }, (_, i) => ({ StaffId: `S-${1001 + (i % 300)}`, BadgeId: `new-${i}` }));
    let isOver = false;
    const work = store
      .importCompany({
        scope: { ...scope, account: 'a', requestId: 'r', operation: 'o' },
        files: [{ file, name: 'badges', isJson: true, open: () => openCompanyRows(rows, file) }],
        ...{ isReplacing: false, isDryRun: true, isTimed: true, faultsMax: 20, onProgress: () => {} },
      })
      .finally(() => {
        isOver = true;
      });
    let answered = 0;
    while (!isOver) {
      expect((await store.listBadges(scope, key)).json).not.toContain('new-');
      answered++;
      await nextTurn();
    }
    expect((await work).files).toMatchObject([{ added: 6_000 }]);
    expect(answered).toBeGreaterThan(5);
  });

  it('stops a filter that takes too long for one person', async () => {
    const query = parse(`$filter=${bomb}`);
    const { store: hasty } = await openSqliteStore({ file: ':memory:', statementTimeoutMs: 1 });
    await hasty.seedDemo({ companyKey: 'demo', companies: 1, staff: 1, skills: 8 });
    const people = await hasty.listStaff(scope, parse('$select=StaffKey'));
    for await (const slice of people.slices()) {
      const { StaffKey } = JSON.parse(Buffer.from(slice).toString().slice(1));
      await expect(hasty.readStaff(scope, StaffKey, query)).rejects.toMatchObject({ code: 'query_too_costly' });
    }
    await hasty.close();
  });

  it('stops when the client disconnects', async () => {
    const gone = new AbortController();
    const query = parse(`$filter=${nested}`);
    const work = store.listStaff(scope, query, { signal: gone.signal });
    const rejected = expect(work).rejects.toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
    gone.abort();
    await rejected;
  });

  it('finds by a name or a key at once, regardless of the other conditions', async () => {
    const { size } = await store.listStaff(scope, parse(`$filter=StaffKey eq 'nobody' and (${bomb})`));
    expect(size).toBe(0);
  });
});
