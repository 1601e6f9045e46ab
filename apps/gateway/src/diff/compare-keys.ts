import type { KeyRecord } from '@rostergate/runtime/keys';
import type { Note } from './change.ts';
import { minus } from './minus.ts';

/** Which keys open less or more than before. Keys are named, never shown; one that is revoked opens nothing. */
export function compareKeys(old: readonly KeyRecord[], next: readonly KeyRecord[], part: string, note: Note): void {
  const [before, now] = [byDigest(old), byDigest(next)];
  const gone = [...before].filter(([digest]) => !now.has(digest)).map(([, key]) => key.name);
  const added = [...now].filter(([digest]) => !before.has(digest)).map(([, key]) => key.name);
  if (gone.length > 0) note('keys-removed', part, `${counted(gone)} no longer taken: ${listed(gone)}`);
  if (added.length > 0) note('keys-added', part, `${counted(added)} taken now: ${listed(added)}`);
  for (const [digest, key] of now) {
    const scopes = new Set(before.get(digest)?.scopes);
    if (!before.has(digest)) continue;
    const own = new Set(key.scopes);
    const [lost, won] = [[...minus(scopes, own)], [...minus(own, scopes)]];
    if (lost.length > 0) note('key-scopes-removed', part, `the key ${key.name} loses ${listed(lost)}`);
    if (won.length > 0) note('key-scopes-added', part, `the key ${key.name} gets ${listed(won)}`);
  }
}

function byDigest(keys: readonly KeyRecord[]): ReadonlyMap<string, KeyRecord> {
  return new Map(keys.filter((key) => key.revokedAtMs === undefined).map((key) => [key.sha256, key]));
}

const counted = (names: readonly string[]): string => (names.length === 1 ? 'a key is' : `${names.length} keys are`);

const listed = (names: readonly string[]): string => [...names].sort().join(', ');
