import type { KeyRecord } from '../keys/index.ts';

/** Returns the record of a stored key; undefined for an invalid one, which no gateway must accept. */
export function parseStoredKey(text: string, plan: string | null): KeyRecord | undefined {
  const entry = parse(text);
  if (entry === undefined) return undefined;
  const { name, owner, sha256, scopes = [], expires_at, revoked_at } = entry;
  const expiresAtMs = timeOf(expires_at);
  const revokedAtMs = timeOf(revoked_at);
  if (typeof name !== 'string' || !namePattern.test(name) || typeof owner !== 'string' || !namePattern.test(owner)) {
    return undefined;
  }
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256) || !isNames(scopes)) return undefined;
  if (Number.isNaN(expiresAtMs) || Number.isNaN(revokedAtMs)) return undefined;
  return { name, owner, sha256, scopes, plan: plan ?? undefined, expiresAtMs, revokedAtMs };
}

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,127}$/;

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
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
  return typeof value === 'string' ? Date.parse(value) : Number.NaN;
}
