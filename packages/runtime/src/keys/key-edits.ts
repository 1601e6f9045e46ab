import { didYouMean } from '../config/did-you-mean.ts';
import type { RawKeyEntry, RawKeysFile } from './keys-file-store.ts';

/** Why an edit of the keys cannot be made; the message names keys, never their digests. */
export class KeyEditError extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'KeyEditError';
  }
}

export type KeyState = 'active' | 'expired' | 'revoked';

/** What state a key is in at a moment. */
export function keyStateAt(entry: RawKeyEntry, nowMs: number): KeyState {
  const hasPassed = (time: unknown) => typeof time === 'string' && Date.parse(time) <= nowMs;
  if (hasPassed(entry.revoked_at)) return 'revoked';
  return hasPassed(entry.expires_at) ? 'expired' : 'active';
}

/** The file with one more key. */
export function addKey(file: RawKeysFile, entry: RawKeyEntry): RawKeysFile {
  if (file.keys.some(({ name }) => name === entry.name)) {
    throw new KeyEditError(
      `There is a key called ${entry.name} already: give the new one another name, or rotate that.`,
    );
  }
  return { ...file, keys: [...file.keys, entry] };
}

/** The file with a key taken back at once. One that is revoked already keeps the time when it was. */
export function revokeKey(file: RawKeysFile, name: string, nowMs: number): RawKeysFile {
  const entry = requireKey(file, name);
  if (keyStateAt(entry, nowMs) === 'revoked') return file;
  return replaceKey(file, name, { ...entry, revoked_at: new Date(nowMs).toISOString() });
}

export interface Rotation {
  readonly name: string;
  readonly nowMs: number;
  /** How long the old key stays good beside the new one. */
  readonly overlapMs: number;
  /** What is new of the new key: its digest, prefix and times. */
  readonly successor: Readonly<Record<string, unknown>>;
}

/**
 * The file with a successor of a key: everything of the old one but its digest and times, and a name with the next
 * number, `ops-2` after `ops`, so that logs and metrics tell the two apart. The old one ends after the overlap, or
 * when it would have ended anyway if that is sooner.
 */
export function rotateKey(file: RawKeysFile, rotation: Rotation): { file: RawKeysFile; entry: RawKeyEntry } {
  const { name, nowMs, overlapMs, successor } = rotation;
  const old = requireKey(file, name);
  const state = keyStateAt(old, nowMs);
  if (state !== 'active') throw new KeyEditError(`The key ${name} is ${state}: create a new one instead.`);
  const endMs = Math.min(nowMs + overlapMs, Date.parse(String(old.expires_at ?? '')) || Number.POSITIVE_INFINITY);
  const entry: RawKeyEntry = { ...old, ...successor, name: nextName(file, name), revoked_at: null };
  const ending = { ...old, expires_at: new Date(endMs).toISOString() };
  return { file: addKey(replaceKey(file, name, ending), entry), entry };
}

function requireKey(file: RawKeysFile, name: string): RawKeyEntry {
  const entry = file.keys.find((key) => key.name === name);
  if (entry !== undefined) return entry;
  const names = file.keys.map((key) => key.name);
  const guess = didYouMean(name, names);
  throw new KeyEditError(
    `There is no key of that name.${guess || (names.length === 0 ? ' There are no keys yet.' : ' The command keys list shows them.')}`,
  );
}

function replaceKey(file: RawKeysFile, name: string, entry: RawKeyEntry): RawKeysFile {
  return { ...file, keys: file.keys.map((key) => (key.name === name ? entry : key)) };
}

function nextName({ keys }: RawKeysFile, name: string): string {
  const taken = new Set(keys.map((key) => key.name));
  const [, stem = name, number = '1'] = /^(.+)-([2-9]|[1-9]\d{1,5})$/.exec(name) ?? [];
  let next = Number(number) + 1;
  while (taken.has(`${stem}-${next}`)) next++;
  return `${stem}-${next}`;
}
