import { describe, expect, test } from 'vitest';
import { staffServers } from '../server-names.ts';
import { callAs, companyKey, list, pathOf } from './callers.ts';
import { unchangedPeople } from './known-keys.ts';
import { differs } from './proxy-differences.ts';

describe.each(staffServers)('%s', (server) => {
  test('rule hidden collections: they are empty for the reader in every form of list', async () => {
    const options = [
      { $expand: 'Tags,Skillset,Profiles' },
      { includes: 'Tags,Skillset,Profiles,AvailableProfiles' },
      { $expand: 'Tags($select=Tags)', includes: 'AvailableProfiles,Skillset,Profiles' },
    ];
    for (const option of options) {
      const { status, body } = await list(server, 'reader', option as unknown as Record<string, string>);
      expect(status).toBe(200);
      expect(body.length).toBeGreaterThanOrEqual(1_000);
      const seen = new Set(
        body.flatMap(({ Tags, TTCMTags, Skillset, Profiles, AvailableProfiles }: Record<string, unknown>) =>
          [Tags, TTCMTags ?? [], Skillset, Profiles, AvailableProfiles ?? []].map((each) => JSON.stringify(each)),
        ),
      );
      expect(seen).toEqual(new Set(['[]']));
    }
  });

  test('rule hidden collections: they are empty for the reader in a single read', async () => {
    const [person] = (await list(server, 'admin', { $filter: 'Tags/any() and Skillset/any()', $top: '1' })).body;
    const path = pathOf(person, '?includes=Tags,Skillset,Profiles,AvailableProfiles');
    const { body } = await callAs(server, 'reader', path);
    expect(body).toMatchObject({ Tags: [], TTCMTags: [], Skillset: [], Profiles: [], AvailableProfiles: [] });
    expect((await callAs(server, 'admin', path)).body.Tags).not.toEqual([]);
  });

  test('rule hidden collections: pay modifiers have no tags for the reader', async () => {
    const some = { $filter: unchangedPeople, $select: 'StaffKey', $top: '40' };
    const people: { StaffKey: string }[] = (await list(server, 'admin', some)).body;
    const paths = people.map((person) => pathOf(person, '/payModifier'));
    const read = async (role: 'admin' | 'reader') => {
      const responses = await Promise.all(paths.map((path) => callAs(server, role, path)));
      return responses.flatMap(({ body }) => body);
    };
    const [whole, less] = [await read('admin'), await read('reader')];
    const hidden = { PayModifierTagKeys: [], LocationTagKey: null, TaskTagKey: null };
    expect(less).toEqual(whole.map((modifier) => ({ ...modifier, ...hidden })));
    expect(less).not.toEqual(whole);
  });

  test.each([
    'Tags/any()',
    "Tags/any(t:t/CategoryName eq 'Team')",
    "Tags/any(t:t/Tags/any(n:n/Name eq 'Blue'))",
    'Skillset/any(s:s/IsSkilledMon)',
    "Profiles/any(p:p/Name ne '')",
    'not Skillset/all(s:false)',
    'Tags/$count gt 0',
  ])('rule hidden collections: a filter by %s discloses nothing to the reader', async ($filter) => {
    const forAdmin = await list(server, 'admin', { $filter, $select: 'StaffKey' });
    const forReader = await list(server, 'reader', { $filter, $select: 'StaffKey' });
    if (differs(server, 'condition on hidden data')) {
      expect([forReader.status, forReader.body.code]).toEqual([403, 'scope_missing']);
      return;
    }
    expect(forReader.status).toBe(forAdmin.status);
    if (forAdmin.status === 200) {
      expect(forAdmin.body.length).toBeGreaterThan(0);
      expect(forReader.body).toEqual([]);
    } else expect([400, 501]).toContain(forAdmin.status);
  });

  test('rule hidden collections: an order by their size discloses nothing to the reader', async () => {
    const keysBy = async ($orderby: string) => {
      // Only people of the demo, because other files add some at the same time.
      const query = `$select=StaffKey&$filter=startswith(StaffId,'S-')&$orderby=${encodeURIComponent($orderby)}`;
      const path = `/v2/staffmember?companyKey=${companyKey}&${query}`;
      const { status, body } = await callAs(server, 'reader', path);
      return status === 200 ? body.map(({ StaffKey }: { StaffKey: string }) => StaffKey) : status;
    };
    const byTags = await keysBy('Tags/$count desc');
    if (differs(server, 'condition on hidden data')) expect(byTags).toBe(403);
    else expect(byTags).toEqual(await keysBy('StaffKey'));
  });
});
