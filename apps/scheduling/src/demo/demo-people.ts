import type { Row } from '../store/tables.ts';
import { createPerson } from './demo-person.ts';
import { createPeopleRows, type DemoCompanyOptions, type DemoContext, type PeopleRows } from './people-rows.ts';
import { attachDetails } from './person-details.ts';

/** People per part, so that a company of any size needs little memory. */
const peopleAtOnce = 500;

/** Creates the people of a company in parts to insert one after the other. The same random numbers give the same rows. */
export function* createDemoPeople(options: DemoCompanyOptions): Generator<PeopleRows> {
  const { catalogue, staff, random, lastRows } = options;
  const context: DemoContext = { ...options, nextRow: (table) => ++lastRows[table] };
  const chiefCount = Math.max(1, Math.round(staff * 0.06));
  const chiefs: Row<'staff'>[] = [];
  for (let from = 0; from < staff; from += peopleAtOnce) {
    const rows = createPeopleRows();
    for (let i = from; i < Math.min(staff, from + peopleAtOnce); i++) {
      const person = createPerson(i, context);
      // Chiefs come first and have no manager, so there are no cycles.
      if (i < chiefCount) chiefs.push(person);
      else if (random.chance(0.9)) reportTo(person, chiefs[random.integer(0, chiefCount - 1)] as Row<'staff'>);
      const primary = random.pick(catalogue.profiles);
      person.PrimaryProfile = primary.Name;
      person.PrimaryProfileKey = primary.ProfileKey;
      rows.staff.push(person);
      attachDetails(i, person, { context, rows });
    }
    yield rows;
  }
}

function reportTo(person: Row<'staff'>, chief: Row<'staff'>): void {
  person.ManagerRow = chief.StaffRow;
  person.ManagerId = chief.StaffId;
  person.Manager = `${chief.FirstName} ${chief.LastName}`;
}
