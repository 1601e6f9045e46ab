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

/** Finds one as an admin of the company; each number gives another person. */
export async function findKnownPerson(server: StaffServer, role: Role, number = 0): Promise<KnownPerson> {
  const $filter = "startswith(StaffId,'S-') and Skillset/any() and Profiles/any()";
  const options = { $filter, $expand: 'Tags,Skillset,Profiles', $top: '1', $skip: String(number) };
  const [person] = (await list(server, role, options)).body;
  const [{ Location }] = (await callAs(server, role, pathOf(person, '/location'))).body;
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
      task_key: person.Skillset[0].TaskKey,
      profile_key: person.Profiles[0].ProfileKey,
      pay_modifier_key: made.body.PayModifierKey,
    },
  };
}

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
