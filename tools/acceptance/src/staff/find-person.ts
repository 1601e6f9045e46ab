import type { PathKeys } from './requests.ts';

/** Sends a request to a staff server as one account. */
export type Ask = (
  path: string,
  options?: { readonly method?: string; readonly json?: unknown },
  // biome-ignore lint/suspicious/noExplicitAny: each caller asserts what it expects.
) => Promise<{ readonly status: number; readonly headers: Headers; readonly body: any }>;

/** A person of the demo data with every part that a path can name, and the keys of these parts. */
export interface KnownPerson {
  readonly keys: PathKeys;
  readonly person: Readonly<Record<string, string>> & { readonly StaffKey: string };
  /** A tag of the person's company. */
  readonly tag: { readonly category: string; readonly name: string; readonly TagKey: number };
}

/**
 * Finds a person as an admin of the company; each number returns another one.
 * @param condition further conditions, as a `$filter`
 */
export async function findPerson(ask: Ask, companyKey: string, condition: string, number = 0): Promise<KnownPerson> {
  const keyed = 'Skillset/any(s:length(s/TaskKey) eq 36) and Profiles/any(p:length(p/ProfileKey) eq 36)';
  const $filter = `${condition} and Tags/any() and ${keyed}`;
  const options = { companyKey, $filter, $expand: 'Tags,Skillset,Profiles', $top: '1', $skip: String(number) };
  const [person] = (await ask(`/v2/staffmember?${new URLSearchParams(options)}`)).body;
  const path = personPath(person);
  const locations = (await ask(`${path}/location`)).body;
  const { Location } =
    locations.find(({ Location: { LocationKey } }: LocationEntry) => isGuid(LocationKey)) ?? locations[0];
  const made = await ask(`${path}/payModifier`, { method: 'POST', json: { PositionId: 'P' } });
  if (made.status !== 201) throw new Error(`A pay modifier was not made: ${made.status}`);
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

/** Returns everything that an admin can read of a person, to assert that nothing has changed. */
export async function readPerson(ask: Ask, person: { readonly StaffKey: string }): Promise<unknown[]> {
  const paths = ['?includes=Tags,Skillset,Profiles,AvailableProfiles,BadgeIds', '/location', '/payModifier'];
  const responses = await Promise.all(paths.map((path) => ask(personPath(person) + path)));
  const bad = responses.find(({ status }) => status !== 200);
  if (bad !== undefined) throw new Error(`Not all of a person could be read: ${bad.status}`);
  return responses.map(({ body }) => body);
}

function personPath({ StaffKey }: { readonly StaffKey: string }): string {
  return `/v2/staffmember/${encodeURIComponent(StaffKey)}`;
}

interface LocationEntry {
  readonly Location: { readonly LocationKey: string };
}

/** Keys of other forms, such as `task-5`, are the same in every demo company. */
const isGuid = (key: string) => /^[0-9a-f-]{36}$/.test(key);
