import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findCompanyFiles } from '../src/company-files/find-company-files.ts';
import { parseStaffQuery } from '../src/staff-query.ts';
import { companyKey, expectProblem, type RunningApp, startApp } from './running-app.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const accept = 'application/json;odata.metadata=minimal';
const track = { headers: { Accept: accept, Prefer: 'odata.track-changes' } };
const pages = (size: number) => ({ headers: { ...track.headers, Prefer: `track-changes, maxpagesize=${size}` } });
const listOf = (options = '') => `/v2/staffmember?companyKey=${companyKey}${options}`;
const deltaLink = '@odata.deltaLink';
const nextLink = '@odata.nextLink';

// biome-ignore lint/suspicious/noExplicitAny: changed and removed people.
type Change = any;

/** Follows the links of a round to its end, with the same options. */
async function readRound(path: string, options = track, between?: () => Promise<unknown>) {
  const value: Change[] = [];
  const sizes: number[] = [];
  for (let next = path; ; ) {
    const { status, body } = await app.asAdmin(next, options);
    expect([status, sizes.length < 200]).toEqual([200, true]);
    value.push(...body.value);
    sizes.push(body.value.length);
    // Only the last page has the link to later changes.
    expect(nextLink in body).toBe(!(deltaLink in body));
    if (body[deltaLink] !== undefined) return { value, sizes, link: `/v2/${body[deltaLink]}` };
    next = `/v2/${body[nextLink]}`;
    await between?.();
  }
}

const idsOf = (value: readonly Change[]) => value.map(({ StaffId }) => StaffId).toSorted();
const keyOf = (path: string) => decodeURIComponent(path.split('/').at(-1) as string);

/** Imports the staff file of the company with these people only, so that all others are removed. */
async function keepOnly(running: RunningApp, people: readonly object[], of = companyKey): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'scheduling-delta-'));
  await writeFile(join(folder, 'staff.json'), JSON.stringify(people));
  const scope = { companyKey: of, isAdmin: true, account: 'import', requestId: 'r', operation: 'import' };
  const files = await findCompanyFiles(folder);
  const given = { scope, files, isReplacing: true, isDryRun: false, faultsMax: 20, onProgress: () => {} };
  expect((await running.store.importCompany(given)).faults).toEqual([]);
  await rm(folder, { recursive: true });
}

describe('listStaffMembers 200', () => {
  it('confirms that it tracks changes, and continues with the changes only', async () => {
    const first = await app.asAdmin(listOf(), track);
    expect(first.headers.get('Preference-Applied')).toBe('odata.track-changes');
    expect(first.body.value).toEqual((await app.asAdmin(listOf())).body);
    const changed = await app.newPerson('N-changed');
    await app.put(changed, { City: 'Bern' });
    const tags = await app.somePerson();
    const { body: added } = await app.post(`${tags}/tag`, { category: 'Specialty', name: 'Cardiology' });
    expect(added.CategoryName).toBe('Specialty');
    const second = await app.asAdmin(`/v2/${first.body[deltaLink]}`, { headers: { Accept: accept } });
    expect(second.body['@odata.context']).toBe('$metadata#StaffMembers/$delta');
    expect(second.headers.get('OData-Version')).toBe('4.01');
    expect(second.body.value).toEqual([
      await app.asAdmin(changed).then(({ body }) => body),
      await app.asAdmin(tags).then(({ body }) => body),
    ]);
    // The same link returns the same changes again, for a client that has lost them.
    expect((await app.asAdmin(`/v2/${first.body[deltaLink]}`)).body).toEqual(second.body);
    expect((await readRound(`/v2/${second.body[deltaLink]}`)).value).toEqual([]);
  });

  it('has changed tags and skills, and a deactivated person', async () => {
    const { link } = await readRound(listOf('&$expand=Tags,Skillset&$select=IsActive'));
    const person = await app.newPerson('N-details');
    await app.post(`${person}/tag`, { category: 'Specialty', name: 'Cardiology' });
    const found = await readRound(link);
    expect(found.value).toMatchObject([{ StaffKey: keyOf(person), IsActive: true, Skillset: [] }]);
    expect(found.value[0].Tags[0].Tags[0].Name).toBe('Cardiology');
    const skilled = await app.somePerson();
    const { body: whole } = await app.asAdmin(`${skilled}?$expand=Skillset`);
    expect((await app.remove(`${skilled}/skillset/${whole.Skillset[0].TaskKey}`)).status).toBe(200);
    await app.put(person, { IsActive: false });
    const next = (await readRound(found.link)).value;
    expect(next.map(({ StaffKey }) => StaffKey)).toEqual([keyOf(skilled), keyOf(person)]);
    expect(next[0].Skillset).toHaveLength(whole.Skillset.length - 1);
    expect(next[1].IsActive).toBe(false);
  });

  it('reports a person who no longer matches the filter, and one who matches now', async () => {
    const [leaving, coming] = [await app.newPerson('N-leaving'), await app.newPerson('N-coming')];
    await app.put(leaving, { City: 'Chur' });
    const first = await readRound(listOf("&$filter=City eq 'Chur'&$select=StaffId"));
    expect(first.value).toEqual([{ StaffId: 'N-leaving', StaffKey: keyOf(leaving) }]);
    await app.put(coming, { City: 'Chur' });
    await app.put(leaving, { City: null });
    const second = await readRound(first.link);
    // Removed people come first: others may have their StaffId now.
    expect(second.value).toEqual([
      { '@removed': { reason: 'changed' }, StaffKey: keyOf(leaving) },
      { StaffId: 'N-coming', StaffKey: keyOf(coming) },
    ]);
  });

  it('leaves a person who changes during a round to the next one, so none comes twice', async () => {
    const people: string[] = [];
    for (const n of [1, 2, 3, 4, 5]) people.push(await app.newPerson(`N-round-${n}`));
    const filter = "&$filter=startswith(StaffId,'N-round-')";
    const touch = async (City: string) => {
      for (const person of people) await app.put(person, { City });
    };
    let [times, towns] = [0, 0];
    const between = () => (times++ === 0 ? touch(`Town ${++towns}`) : Promise.resolve());
    const first = await readRound(listOf(filter), pages(2), between);
    expect(first.value).toHaveLength(2);
    expect(new Set(idsOf(first.value)).size).toBe(2);
    times = 0;
    // Page sizes come from the link.
    const second = await readRound(first.link, { headers: { ...track.headers, Prefer: '' } }, between);
    expect(second.sizes[0]).toBe(2);
    expect(second.value).toHaveLength(2);
    const third = await readRound(second.link, pages(2));
    expect(third.sizes).toEqual([2, 2, 1]);
    expect(idsOf(third.value)).toEqual(['N-round-1', 'N-round-2', 'N-round-3', 'N-round-4', 'N-round-5']);
  });

  it.each([
    '&$top=5',
    '&$skip=1',
    '&$orderby=City',
    '&$count=true',
    '&sinceModifiedTimestamp=2026-01-01',
    '&includes=AvailableProfiles',
  ])(
    'does not track changes of a part of a list, of an ordered or counted one, or of what others change: %s',
    async (options) => {
      const { headers, body } = await app.asAdmin(listOf(options), track);
      expect([headers.get('Preference-Applied'), body[deltaLink]]).toEqual([null, undefined]);
    },
  );

  it('does not track changes where people leave a list without changing, or a bare array', async () => {
    const timed = await app.asAdmin(listOf('&$filter=EndDate gt now()'), track);
    expect([timed.headers.get('Preference-Applied'), timed.body[deltaLink]]).toEqual([null, undefined]);
    const bare = await app.asAdmin(listOf(), { headers: { Prefer: 'track-changes' } });
    expect([bare.headers.get('Preference-Applied'), Array.isArray(bare.body)]).toEqual([null, true]);
  });

  it('shows no tags to an account without rights, also in changes', async () => {
    const asReader = { ...track, as: 'reader' as const };
    const first = await app.call(listOf("&$expand=Tags&$filter=Tags/any() or StaffId eq 'N-tagged'"), asReader);
    const person = await app.newPerson('N-tagged');
    await app.post(`${person}/tag`, { category: 'Specialty', name: 'Cardiology' });
    const { body } = await app.call(`/v2/${first.body[deltaLink]}`, asReader);
    expect(body.value).toMatchObject([{ StaffId: 'N-tagged', Tags: [] }]);
    await app.put(person, { StaffId: 'N-untagged' });
    const later = await app.call(`/v2/${body[deltaLink]}`, asReader);
    expect(later.body.value).toEqual([{ '@removed': { reason: 'changed' }, StaffKey: keyOf(person) }]);
  });
});

describe('listStaffMembers 400', () => {
  it('rejects a delta token of another query, of other rights, and a malformed one', async () => {
    const { body } = await app.asAdmin(listOf('&$select=City'), track);
    const link = `/v2/${body[deltaLink]}`;
    const token = link.split('$deltatoken=')[1];
    for (const path of [
      `${listOf('&$select=LastName')}&$deltatoken=${token}`,
      `${listOf()}&$deltatoken=${token}`,
      `${listOf()}&$deltatoken=x`,
      `${listOf()}&$deltatoken=${Buffer.from('[]').toString('base64url')}`,
      `${link}&$skiptoken=x`,
    ]) {
      const response = await app.asAdmin(path);
      expectProblem(response, 400, 'odata_invalid');
      expect(response.body.errors[0].parameter).toBe('$deltatoken');
    }
    for (const Accept of ['text/csv', 'application/x-ndjson']) {
      expectProblem(await app.asAdmin(link, { headers: { Accept } }), 400, 'odata_invalid');
    }
    expectProblem(await app.call(link, { as: 'reader' }), 400, 'odata_invalid');
    expectProblem(await app.call(link, { as: 'otherCompany' }), 403, 'company_forbidden');
    const theirs = link.replace(companyKey, 'other-company');
    expectProblem(await app.call(theirs, { as: 'otherCompany' }), 400, 'odata_invalid');
  });
});

describe('listStaffMembers 200 and 410 after removals', () => {
  it('reports removed people, and those who were added again as changed', async () => {
    const own = await startApp();
    try {
      const StaffKey = 'key-again';
      const common = { StaffId: 'N-kept', StaffKey: 'key-kept' };
      await keepOnly(own, [common, { StaffId: 'N-again', StaffKey }, { StaffId: 'N-gone', StaffKey: 'key-gone' }]);
      const { body: first } = await own.asAdmin(listOf("&$filter=startswith(StaffId,'N-')"), track);
      expect(idsOf(first.value)).toEqual(['N-again', 'N-gone', 'N-kept']);
      await keepOnly(own, [common]);
      const { body: second } = await own.asAdmin(`/v2/${first[deltaLink]}`);
      const removed = (key: string) => ({ '@removed': { reason: 'deleted' }, StaffKey: key });
      expect(second.value).toEqual([removed(StaffKey), removed('key-gone')]);
      await keepOnly(own, [common, { StaffId: 'N-again', StaffKey }]);
      const { body: third } = await own.asAdmin(`/v2/${second[deltaLink]}`);
      expect(third.value).toMatchObject([{ StaffId: 'N-again', StaffKey }]);
      const { body: both } = await own.asAdmin(`/v2/${first[deltaLink]}`);
      expect(both.value).toMatchObject([removed('key-gone'), { StaffId: 'N-again', StaffKey }]);
    } finally {
      await own.stop();
    }
  });

  it('does not accept a token from another database of a company that is imported here', async () => {
    const scope = { companyKey: 'other-company', isAdmin: true };
    await keepOnly(app, [{ StaffId: 'N-moved', StaffKey: 'key-moved' }], scope.companyKey);
    const query = parseStaffQuery('', { clock: Date.now });
    const read = (stamp: string) => app.store.listChanges(scope, query, { after: { stamp }, top: 9 });
    await expect(read('2000-01-01T00:00:00')).rejects.toMatchObject({ code: 'changes_gone' });
    const { until = '' } = await app.store.listStaff(scope, { ...query, modifiedSince: {} }, {});
    expect((await read(until)).size).toBe(0);
  });

  it('does not accept a token of a later state, which a restored backup lacks', async () => {
    const { body } = await app.asAdmin(listOf(), track);
    const [path, token = ''] = String(body[deltaLink]).split('$deltatoken=');
    const fields = JSON.parse(Buffer.from(token, 'base64url').toString());
    const later = Buffer.from(JSON.stringify(fields.with(1, '2999-01-01T00:00:00'))).toString('base64url');
    const response = await app.asAdmin(`/v2/${path}$deltatoken=${later}`);
    expectProblem(response, 410, 'changes_gone');
    expect(response.body.detail).toContain('Prefer: odata.track-changes');
  });
});
