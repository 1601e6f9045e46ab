import { expect } from 'vitest';
import type { StaffServer } from '../server-names.ts';
import { callAs, list, pathOf, type Role } from './callers.ts';
import type { PathKeys } from './requests.ts';

/** Somebody of the demo data who has everything that a path can name, and what else leads to them. */
export interface KnownPerson {
  readonly keys: PathKeys;
  readonly person: Readonly<Record<string, string>> & { readonly StaffKey: string };
  /** A tag of the person's company. */
  readonly tag: { readonly category: string; readonly name: string; readonly TagKey: number };
}

/** The half of the demo company that tests may change; who compares whole people reads the other half. */
export const changedPeople = "startswith(StaffId,'S-') and StaffId ge 'S-1500'";
export const unchangedPeople = "startswith(StaffId,'S-') and StaffId lt 'S-1500'";

/** Finds one as an admin of the company; each number gives another person. */
export async function findKnownPerson(server: StaffServer, role: Role, number = 0): Promise<KnownPerson> {
  // The other companies have 25 people, whom one file alone changes.
  const whose = role === 'stranger' ? "startswith(StaffId,'S-')" : changedPeople;
  const keyed = 'Skillset/any(s:length(s/TaskKey) eq 36) and Profiles/any(p:length(p/ProfileKey) eq 36)';
  const $filter = `${whose} and Tags/any() and ${keyed}`;
  const options = { $filter, $expand: 'Tags,Skillset,Profiles', $top: '1', $skip: String(number) };
  const [person] = (await list(server, role, options)).body;
  const locations = (await callAs(server, role, pathOf(person, '/location'))).body;
  const { Location } =
    locations.find(({ Location: { LocationKey } }: LocationEntry) => isGuid(LocationKey)) ?? locations[0];
  const made = await callAs(server, role, pathOf(person, '/payModifier'), {
    method: 'POST',
    json: { PositionId: 'P' },
  });
  expect(made.status).toBe(201);
  const [{ CategoryName, Tags }] = person.Tags;
  return {
    person,
    tag: { category: CategoryName, name: Tags[0].Name, TagKey: Tags[0].Key },
    keys: {
      staff_key: person.StaffKey,
      location_key: Location.LocationKey,
      task_key: person.Skillset.map(({ TaskKey }: { TaskKey: string }) => TaskKey).find(isGuid),
      profile_key: person.Profiles.map(({ ProfileKey }: { ProfileKey: string }) => ProfileKey).find(isGuid),
      pay_modifier_key: made.body.PayModifierKey,
    },
  };
}

interface LocationEntry {
  readonly Location: { readonly LocationKey: string };
}

/** Keys of other forms, such as `task-5`, are the same in every demo company. */
const isGuid = (key: string) => /^[0-9a-f-]{36}$/.test(key);

/** All that an admin can read of a person, so that a test can say that nothing has changed. */
export async function readAll(
  server: StaffServer,
  role: Role,
  person: { readonly StaffKey: string },
): Promise<unknown> {
  const paths = ['?includes=Tags,Skillset,Profiles,AvailableProfiles,BadgeIds', '/location', '/payModifier'];
  const answers = await Promise.all(paths.map((path) => callAs(server, role, pathOf(person, path))));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  return answers.map(({ body }) => body);
}
