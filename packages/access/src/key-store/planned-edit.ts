import { ConfigError, type ConfigFault } from '@rostergate/config';
import { type RawKeyEntry, type RawKeysFile, successorName, withOwnerPlans } from '../keys/index.ts';
import type { AuditEntry, KeyEdit, StoredKey } from './key-store.ts';

/** How many numbers a rotation looks ahead for a name that is free. */
const successorsMax = 100;

/** Returns the names that an edit reads: of its key, and those that its successor may have. */
export function namesOf({ action, name }: KeyEdit): readonly string[] {
  if (action !== 'rotate') return [name];
  return [name, ...Array.from({ length: successorsMax }, (_, i) => successorName(name, i + 1))];
}

/** The most names that are read to suggest one, when there is none of that name. */
export const hintsMax = 1_000;

/** Returns each entry once. */
export function uniqueEntries(entries: readonly RawKeyEntry[]): RawKeyEntry[] {
  return [...new Map(entries.map((entry) => [entry.name, entry])).values()];
}

/**
 * Checks an edit as the text of a file. Faults of keys that it leaves alone or revokes do not prevent it: the settings may
 * have changed since those keys were valid.
 * @throws ConfigError with the other faults
 */
export function checkEdit(
  check: (text: string, place: string) => void,
  before: RawKeysFile,
  { keys: edited, ...file }: RawKeysFile,
): void {
  const former = new Set(before.keys);
  const mayBeFaulty = (entry: RawKeyEntry | undefined) =>
    entry !== undefined && (former.has(entry) || Boolean(entry.revoked_at));
  // A faulty entry may hide faults of others, therefore each round checks the rest again.
  for (let keys = edited; ; ) {
    const faults = faultsOf(() => check(JSON.stringify({ ...file, keys }), 'the key store'));
    if (faults.length === 0) return;
    const own = faults.filter((fault) => !mayBeFaulty(keys[indexOf(fault)]));
    if (own.length > 0) throw new ConfigError(own);
    const faulty = new Set(faults.map(indexOf));
    keys = keys.filter((_, i) => !faulty.has(i));
  }
}

function faultsOf(check: () => void): readonly ConfigFault[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof ConfigError && error.faults.length > 0) return error.faults;
    throw error;
  }
}

/** Returns the index of the faulty key; -1 for a fault of something else. */
const indexOf = ({ field }: ConfigFault): number => Number(/^keys\[(\d+)\]/.exec(field)?.[1] ?? -1);

export interface PlannedEdit {
  /** Keys with the same name are replaced. */
  readonly changed: readonly StoredKey[];
  /** Names of `changed` that must not exist yet. */
  readonly created: ReadonlySet<string>;
  readonly audit: readonly Omit<AuditEntry, 'at'>[];
}

/**
 * Returns what an edit changes in a store. Both files contain every key of the edited owner, because its plan applies
 * to all of them.
 */
export function planEdit({ action, actor }: KeyEdit, before: RawKeysFile, after: RawKeysFile): PlannedEdit {
  const former = new Map(before.keys.map((entry) => [entry.name, entry]));
  const edited = after.keys.filter((entry) => former.get(entry.name) !== entry);
  const owners = new Set(edited.map(({ owner }) => owner));
  const plansBefore = plansOf(before.keys.filter(({ owner }) => owners.has(owner)));
  const touched = after.keys.filter(({ owner }) => owners.has(owner));
  const plans = plansOf(touched);
  return {
    changed: touched
      .filter((entry) => former.get(entry.name) !== entry || plansBefore.get(entry.name) !== plans.get(entry.name))
      .map((entry) => ({ entry, plan: plans.get(entry.name) })),
    created: new Set(edited.filter(({ name }) => !former.has(name)).map(({ name }) => name)),
    audit: edited.map((entry) => ({
      actor,
      action,
      name: entry.name,
      owner: String(entry.owner),
      changes: changesOf(former.get(entry.name), entry),
    })),
  };
}

function plansOf(entries: readonly RawKeyEntry[]): ReadonlyMap<string, string | undefined> {
  const planned = withOwnerPlans(entries as Parameters<typeof withOwnerPlans>[0]);
  return new Map(planned.map(({ name, plan }) => [name, plan]));
}

function changesOf(former: RawKeyEntry | undefined, entry: RawKeyEntry): Readonly<Record<string, unknown>> {
  const fields = Object.entries(entry).filter(
    ([field, value]) => !silent.has(field) && JSON.stringify(former?.[field] ?? null) !== JSON.stringify(value ?? null),
  );
  return Object.fromEntries(fields);
}

/** Fields that other members of an audit entry contain, or that no one needs to know. */
const silent = new Set(['name', 'owner', 'prefix', 'sha256', 'created_at']);
