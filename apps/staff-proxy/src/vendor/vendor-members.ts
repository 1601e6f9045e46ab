export type Members = Readonly<Record<string, unknown>>;

/** Returns the members of an object; none of any other value. */
export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

/** Returns the objects of an array, or a single object as an array. */
export function entriesOf(value: unknown): readonly Members[] {
  return (Array.isArray(value) ? value : [value]).filter((entry) => typeof entry === 'object' && entry !== null);
}

/** The vendor's keys are numbers, or GUIDs in either case. */
export function isSameKey(one: unknown, other: unknown): boolean {
  return String(one).toLowerCase() === String(other).toLowerCase();
}

export function findPerson(value: unknown): unknown {
  return entriesOf(value).find(({ StaffKey }) => StaffKey !== undefined);
}

/** Returns a collection of the person where the vendor responded with the whole person. */
export function collectionOf(value: unknown, name: string): unknown {
  return findPerson(value) === undefined ? value : membersOf(value)[name];
}

export function findEntry(value: unknown, name: string, key: unknown): unknown {
  return entriesOf(value).find((entry) => entry[name] !== undefined && isSameKey(entry[name], key));
}

/** A single skill may come without the key of its task. */
export function findSkill(value: unknown, key: unknown): unknown {
  const skills = collectionOf(value, 'Skillset');
  const isKeyless = ({ TaskKey, TaskName }: Members) => TaskKey === undefined && TaskName !== undefined;
  return findEntry(skills, 'TaskKey', key) ?? (Array.isArray(skills) ? undefined : entriesOf(skills).find(isKeyless));
}
