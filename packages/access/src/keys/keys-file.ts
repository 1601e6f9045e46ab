import {
  ConfigError,
  type ConfigFault,
  checkJsonFile,
  faultAt,
  type JsonFile,
  parseJsonFile,
} from '@rostergate/config';
import { didYouMean } from '@rostergate/server/problem';
import type { z } from 'zod';
import type { KeyRecord } from './keyring.ts';

/** One entry of keys.json; times in ISO 8601, null or absent when there is none. */
export interface KeyEntry {
  readonly name: string;
  readonly owner: string;
  /** The first characters of the key, too few to guess the rest. */
  readonly prefix?: string | undefined;
  /** SHA-256 of the key, 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  readonly scopes?: readonly string[] | undefined;
  /** The plan of the owner. Keys of the owner without one have it too. */
  readonly plan?: string | undefined;
  readonly created_at?: string | null | undefined;
  readonly expires_at?: string | null | undefined;
  readonly revoked_at?: string | null | undefined;
}

export interface KeysFileContent {
  readonly keys: readonly KeyEntry[];
}

export interface ParsedKeysFile {
  /** The entries of the file, in its order. */
  readonly entries: readonly KeyEntry[];
  /** The same keys as records for a keyring. */
  readonly records: readonly KeyRecord[];
}

/**
 * Parses the text of keys.json and checks that names and digests are unique, and that each owner has one plan, which is
 * one of `plans`. Without `plans`, any name of a plan is accepted.
 * @throws ConfigError with every fault and its place, never with a digest
 */
export function parseKeysFile(
  text: string,
  path: string,
  schema: z.ZodType<KeysFileContent>,
  plans?: readonly string[],
): ParsedKeysFile {
  const file = parseJsonFile(text, path);
  const { keys } = checkJsonFile(schema, file);
  const faults = [...repeatedKeys(file, keys), ...planFaults(file, keys, plans)];
  if (faults.length > 0) throw new ConfigError(faults);
  const records = Object.freeze(withOwnerPlans(keys).map(toKeyRecord));
  return Object.freeze({ entries: keys, records });
}

type PlannedKey = Pick<KeyEntry, 'name' | 'owner' | 'plan' | 'revoked_at'>;

/** Returns a fault for each key with a plan that is not one of `plans`, or that another key of its owner contradicts. */
export function planFaults(
  file: Pick<JsonFile, 'locate'>,
  keys: readonly PlannedKey[],
  plans?: readonly string[],
): readonly ConfigFault[] {
  const faults: ConfigFault[] = [];
  const byOwner = new Map<string, { readonly plan: string; readonly i: number }>();
  keys.forEach(({ owner, plan, revoked_at }, i) => {
    if (plan === undefined || revoked_at) return;
    const report = (detail: string) =>
      faults.push(faultAt(file.locate(['keys', i, 'plan']), `keys[${i}].plan`, detail));
    if (plans !== undefined && !plans.includes(plan)) {
      const known =
        plans.length === 0 ? ' There are none: add it to plans in the settings.' : ` There are: ${plans.join(', ')}.`;
      report(`There is no such plan.${didYouMean(plan, plans) || known}`);
    }
    const first = byOwner.get(owner);
    if (first === undefined) byOwner.set(owner, { plan, i });
    else if (first.plan !== plan) {
      report(
        `keys[${first.i}] of the same owner has the plan ${first.plan}: an owner has one plan, so give both the same.`,
      );
    }
  });
  return faults;
}

/** Returns the entries with the plan of their owner, where one of the owner's keys names it. */
export function withOwnerPlans<K extends PlannedKey>(keys: readonly K[]): readonly K[] {
  const byOwner = new Map<string, string>();
  for (const { owner, plan, revoked_at } of keys) if (plan !== undefined && !revoked_at) byOwner.set(owner, plan);
  return keys.map((key) => (byOwner.has(key.owner) ? { ...key, plan: byOwner.get(key.owner) } : key));
}

/** Returns a fault for each key with the name or the digest of an earlier one. */
export function repeatedKeys(
  file: Pick<JsonFile, 'locate'>,
  keys: readonly { readonly name: string; readonly sha256: string }[],
): readonly ConfigFault[] {
  const faults: ConfigFault[] = [];
  const seen = new Map<string, number>();
  keys.forEach((entry, i) => {
    for (const field of ['name', 'sha256'] as const) {
      const other = seen.get(`${field} ${entry[field]}`);
      if (other === undefined) {
        seen.set(`${field} ${entry[field]}`, i);
        continue;
      }
      const what = field === 'name' ? `keys[${other}] has the same name` : `keys[${other}] is the same key`;
      const remedy = field === 'name' ? 'choose another' : 'remove one of the two';
      faults.push(faultAt(file.locate(['keys', i, field]), `keys[${i}].${field}`, `${what}: ${remedy}.`));
    }
  });
  return faults;
}

/** Returns the record of an entry for a keyring. */
export function toKeyRecord({ name, owner, sha256, scopes = [], plan, expires_at, revoked_at }: KeyEntry): KeyRecord {
  return Object.freeze({
    name,
    owner,
    sha256,
    scopes: Object.freeze([...scopes]),
    ...(plan === undefined ? {} : { plan }),
    ...(expires_at ? { expiresAtMs: Date.parse(expires_at) } : {}),
    ...(revoked_at ? { revokedAtMs: Date.parse(revoked_at) } : {}),
  });
}
