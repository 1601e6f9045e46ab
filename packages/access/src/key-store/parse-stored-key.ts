import type { KeyRecord, RawKeyEntry } from '../keys/index.ts';
import { type KeyKind, KeyStoreError } from './key-store.ts';

/** The fields of a stored key that every server reads. */
export interface StoredKeyFields {
  readonly name?: unknown;
  readonly owner?: unknown;
  readonly sha256?: unknown;
  readonly scopes?: unknown;
  readonly expires_at?: unknown;
  readonly revoked_at?: unknown;
}

/** Returns the record of a stored key; undefined for an invalid one, which no server must accept. */
export function parseStoredKey(
  fields: StoredKeyFields,
  plan: unknown,
  attributes: string | undefined,
  { accepts }: Pick<KeyKind, 'accepts'>,
): KeyRecord | undefined {
  const { name, owner, sha256, expires_at, revoked_at } = fields;
  const scopes = fields.scopes ?? noScopes;
  const expiresAtMs = timeOf(expires_at);
  const revokedAtMs = timeOf(revoked_at);
  if (typeof name !== 'string' || !namePattern.test(name)) return undefined;
  if (typeof owner !== 'string' || (owner !== name && !ownerPattern.test(owner))) return undefined;
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256) || !isNames(scopes)) return undefined;
  if (typeof (plan ?? '') !== 'string') return undefined;
  if (Number.isNaN(expiresAtMs) || Number.isNaN(revokedAtMs)) return undefined;
  if (attributes !== undefined && !accepts(attributes)) return undefined;
  const record = { name, owner, sha256, scopes, plan: (plan as string | null) ?? undefined, expiresAtMs, revokedAtMs };
  return attributes === undefined ? record : { ...record, attributes };
}

const noScopes: readonly string[] = [];
const namePattern = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,127}$/;
const ownerPattern = /^[A-Za-z0-9][A-Za-z0-9._@:|-]{0,127}$/;

/** Returns a stored entry. @throws KeyStoreError for a damaged one, whose edit would store the damage again */
export function requireEntry(value: unknown): RawKeyEntry {
  const { name, owner } = (value ?? {}) as Partial<RawKeyEntry>;
  if (typeof name === 'string' && typeof owner === 'string') return value as RawKeyEntry;
  throw new KeyStoreError('The key store has a damaged key, without a name or an owner. Restore it from a backup.');
}

/** Returns the value of a JSON text; undefined when it is invalid. */
export function parseStoredJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

/** Returns undefined for no time, NaN for an invalid one. */
function timeOf(value: unknown): number | undefined {
  if (value === null || value === undefined) return undefined;
  return typeof value === 'string' && value.charAt(4) === '-' ? Date.parse(value) : Number.NaN;
}
