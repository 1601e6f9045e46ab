import { entriesOf, isSameKey, type Members, membersOf } from './vendor-members.ts';

export function findPerson(told: unknown): unknown {
  return entriesOf(told).find(({ StaffKey }) => StaffKey !== undefined);
}

/** Where the vendor answers with the whole person, one collection of it. */
export function collectionOf(told: unknown, name: string): unknown {
  return findPerson(told) === undefined ? told : membersOf(told)[name];
}

export function findEntry(told: unknown, name: string, key: unknown): unknown {
  return entriesOf(told).find((entry) => entry[name] !== undefined && isSameKey(entry[name], key));
}

/** A skill may come without the key of its task, when it is the only one. */
export function findSkill(told: unknown, key: unknown): unknown {
  const skills = collectionOf(told, 'Skillset');
  const isTheOne = ({ TaskKey, TaskName }: Members) => TaskKey === undefined && TaskName !== undefined;
  return findEntry(skills, 'TaskKey', key) ?? (Array.isArray(skills) ? undefined : entriesOf(skills).find(isTheOne));
}
