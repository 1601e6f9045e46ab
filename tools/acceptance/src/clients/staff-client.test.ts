import { AuthorizationError, createStaffClient, NotFoundError, ValidationError } from '@rostergate/staff-client';
import { describe, expect, inject, test } from 'vitest';

const { urls, credentials } = inject('servers');
const companyKey = credentials.COMPANY_KEY;

const anonymous = createStaffClient({ baseUrl: urls.scheduling });
const logIn = async (email: string, password: string) =>
  (await anonymous.login({ body: { email, password } })).access_token;
const clients = {
  scheduling: {
    admin: createStaffClient({
      baseUrl: urls.scheduling,
      token: () => logIn(credentials.SCHEDULING_ADMIN_EMAIL, credentials.SCHEDULING_ADMIN_PASSWORD),
    }),
    reader: createStaffClient({
      baseUrl: urls.scheduling,
      token: () => logIn(credentials.SCHEDULING_EMAIL, credentials.SCHEDULING_PASSWORD),
    }),
  },
  'staff-proxy': {
    admin: createStaffClient({ baseUrl: urls['staff-proxy'], key: credentials.STAFF_PROXY_ADMIN_KEY }),
    reader: createStaffClient({ baseUrl: urls['staff-proxy'], key: credentials.STAFF_PROXY_KEY }),
  },
};

describe.each(['scheduling', 'staff-proxy'] as const)('%s', (server) => {
  const { admin, reader } = clients[server];

  test('one person by StaffKey, with tags for the admin and none for the reader', async () => {
    const [first] = await reader.listStaffMembers({ query: { companyKey, $top: 1 } });
    const query = { companyKey, $filter: `StaffKey eq '${first?.StaffKey?.replaceAll("'", "''")}'`, $expand: 'Tags' };
    const [forAdmin, ...others] = await admin.listStaffMembers({ query });
    expect(others).toEqual([]);
    expect(forAdmin?.Tags?.length).toBeGreaterThan(0);
    const [forReader] = await reader.listStaffMembers({ query });
    expect(forReader).toEqual({ ...forAdmin, Tags: [], TTCMTags: [] });
  });

  test('a count comes as the envelope', async () => {
    const query = { companyKey, $count: true, $top: 1, $filter: "startswith(StaffId,'S-')" } as const;
    const page = await reader.listStaffMembers({ query });
    expect([page['@odata.count'], page.value.length]).toEqual([1_000, 1]);
  });

  test('single reads of each kind', async () => {
    const [person] = await admin.listStaffMembers({ query: { companyKey, $top: 1, includes: ['Tags', 'Skillset'] } });
    const path = { staff_key: person?.StaffKey ?? '' };
    expect(await admin.getStaffMember({ path, query: { includes: ['Tags', 'Skillset'] } })).toEqual(person);
    const lists = [
      await admin.listStaffLocations({ path }),
      await admin.listStaffProfiles({ path }),
      await admin.listPayModifiers({ path }),
      await admin.listBadgeIds({ path }),
      await admin.listRequestLimits({ path, query: { includes: ['StaffLimits'] } }),
    ];
    for (const list of lists) expect(list).toBeInstanceOf(Array);
  });

  test('refusals are thrown as the kind that the contract names', async () => {
    const path = { staff_key: 'no-such-person' };
    await expect(reader.getStaffMember({ path })).rejects.toThrow(NotFoundError);
    await expect(reader.updateStaffMember({ path, body: { Fte: 1 } })).rejects.toThrow(AuthorizationError);
    await expect(reader.listStaffMembers({ query: { companyKey, $filter: 'Fte eq' } })).rejects.toThrow(
      ValidationError,
    );
  });

  test('a field of a wrong name is an error of the compiler, and of the server', async () => {
    const path = { staff_key: 'no-such-person' };
    // @ts-expect-error a person has no FristName
    await expect(admin.updateStaffMember({ path, body: { FristName: 'Ada' } })).rejects.toThrow(ValidationError);
  });
});
