import type { StaffServer } from '../server-names.ts';
import { callAs, companyKey, otherCompanyKey, type Role } from './callers.ts';
import { type Ask, findPerson, type KnownPerson, readPerson } from './find-person.ts';

export type { KnownPerson };

/** The half of the demo company that tests may change; tests that compare whole people read the other half. */
export const changedPeople = "startswith(StaffId,'S-') and StaffId ge 'S-1500'";
export const unchangedPeople = "startswith(StaffId,'S-') and StaffId lt 'S-1500'";

/** Finds a person as an admin of the company; each number returns another one. */
export async function findKnownPerson(server: StaffServer, role: Role, number = 0): Promise<KnownPerson> {
  // The other companies have 25 people, changed by one file only.
  const isOtherCompany = role === 'otherCompany';
  const condition = isOtherCompany ? "startswith(StaffId,'S-')" : changedPeople;
  return findPerson(askAs(server, role), isOtherCompany ? otherCompanyKey : companyKey, condition, number);
}

/** Returns everything that an admin can read of a person, to assert that nothing has changed. */
export async function readAll(
  server: StaffServer,
  role: Role,
  person: { readonly StaffKey: string },
): Promise<unknown> {
  return readPerson(askAs(server, role), person);
}

function askAs(server: StaffServer, role: Role): Ask {
  return (path, options) => callAs(server, role, path, options);
}
