import { createStaffClient, type StaffMemberDetailDto, type StaffMemberPage } from './index.ts';

/** Never runs: each line marked as an error must be one for the compiler. */
export async function typesHold(): Promise<void> {
  const client = createStaffClient({ baseUrl: 'https://staff.test', token: 't' });

  const people: StaffMemberDetailDto[] = await client.listStaffMembers({ query: { companyKey: 'c', $top: 5 } });
  const page: StaffMemberPage = await client.listStaffMembers({ query: { companyKey: 'c', $count: true } });
  void [people, page];

  // @ts-expect-error a list needs its companyKey
  await client.listStaffMembers({ query: {} });
  // @ts-expect-error a query parameter that the contract does not declare
  await client.listStaffMembers({ query: { companyKey: 'c', $fliter: 'x' } });
  // @ts-expect-error a collection that cannot be included
  await client.listStaffMembers({ query: { companyKey: 'c', includes: ['Tag'] } });
  // @ts-expect-error a single read has no companyKey
  await client.getStaffMember({ path: { staff_key: 'k' }, query: { companyKey: 'c' } });
  // @ts-expect-error a path parameter is missing
  await client.addStaffLocationTag({ path: { staff_key: 'k' }, body: { categoryName: 'a', tagName: 'b' } });
  // @ts-expect-error a field that a person does not have
  await client.updateStaffMember({ path: { staff_key: 'k' }, body: { FristName: 'Máire' } });
  // @ts-expect-error a field of another type
  await client.updateStaffMember({ path: { staff_key: 'k' }, body: { Fte: 'full' } });
  // @ts-expect-error a new person needs a StaffId
  await client.createStaffMember({ body: { FirstName: 'Máire' } });

  const person = await client.getStaffMember({ path: { staff_key: 'k' } });
  person.LastName satisfies string | undefined;
  // @ts-expect-error a field that an answer does not have
  person.Surname;
  // @ts-expect-error what is only written is never read
  person.TimeClockKioskPIN;
  await client.updateStaffMember({ path: { staff_key: 'k' }, body: { TimeClockKioskPIN: '1234' } });

  // @ts-expect-error a key and a token at once
  createStaffClient({ baseUrl: 'https://staff.test', token: 't', key: 'k' });
}
