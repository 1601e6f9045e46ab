import { existsSync, readFileSync } from 'node:fs';
import { parseJsonFile } from '@rostergate/config';
import {
  FileLockError,
  type FileLockOptions,
  removeTemporaries,
  withFileLock,
  writeWholeFile,
} from '@rostergate/config/files';
import { didYouMean } from '@rostergate/server/problem';

/** A keys file as JSON, unknown fields included. */
export interface RawKeysFile {
  readonly keys: readonly RawKeyEntry[];
  readonly [other: string]: unknown;
}

export interface RawKeyEntry {
  readonly name: string;
  readonly [field: string]: unknown;
}

export interface KeysFileStoreOptions extends FileLockOptions {
  readonly path: string;
  /** Parses the text as the server does; throws a ConfigError for an invalid one. */
  readonly check: (text: string, path: string) => void;
}

/** Returns the content of a keys file, unknown fields included; without keys when the file does not exist. */
export function readKeysFileStore({ path, check }: Pick<KeysFileStoreOptions, 'path' | 'check'>): RawKeysFile {
  if (!existsSync(path)) return { keys: [] };
  const text = readFileSync(path, 'utf8');
  check(text, path);
  const file = parseJsonFile(text, path).value as RawKeysFile;
  // A file with accounts alone has no keys yet.
  return (file.keys as unknown) === undefined ? { ...file, keys: [] } : file;
}

/**
 * Edits or creates a keys file: one writer at a time, atomically, readable by its owner alone. Keeps unknown fields,
 * and never writes a file that the server would reject.
 * @throws ConfigError for an invalid file before or after the edit; FileLockError; and what `edit` throws
 */
export async function editKeysFile(
  options: KeysFileStoreOptions,
  edit: (file: RawKeysFile) => RawKeysFile,
): Promise<void> {
  const { path, check, ...lock } = options;
  const lockPath = `${path}.lock`;
  await withFileLock(
    lockPath,
    (isHeld) => {
      removeTemporaries(path);
      const file = edit(readKeysFileStore(options));
      const text = `${JSON.stringify(file, null, 2)}\n`;
      check(text, path);
      const beforeReplace = () => {
        if (!isHeld()) throw new FileLockError(lockPath, 'another process');
      };
      writeWholeFile(path, text, { mode: 0o600, beforeReplace });
    },
    lock,
  );
}

/** An edit that the keys do not allow. The message contains names of keys, never digests. */
export class KeyEditError extends Error {
  /** `missing`: there is no such key. `conflict`: the keys do not allow the edit. `invalid`: no key can have the values. */
  readonly reason: 'missing' | 'conflict' | 'invalid';

  constructor(detail: string, reason: KeyEditError['reason'] = 'conflict', options?: ErrorOptions) {
    super(detail, options);
    this.name = 'KeyEditError';
    this.reason = reason;
  }
}

export type KeyState = 'active' | 'expired' | 'revoked';

/** Returns the state of a key at a time. */
export function keyStateAt(entry: RawKeyEntry, nowMs: number): KeyState {
  const hasPassed = (time: unknown) => typeof time === 'string' && Date.parse(time) <= nowMs;
  if (hasPassed(entry.revoked_at)) return 'revoked';
  return hasPassed(entry.expires_at) ? 'expired' : 'active';
}

/** Returns the file with one more key. */
export function addKey(file: RawKeysFile, entry: RawKeyEntry): RawKeysFile {
  if (file.keys.some(({ name }) => name === entry.name)) {
    throw new KeyEditError(`A key named ${entry.name} already exists. Choose another name, or rotate that key.`);
  }
  return { ...file, keys: [...file.keys, entry] };
}

/** Returns the file with a key revoked now. A key that is already revoked keeps its time. */
export function revokeKey(file: RawKeysFile, name: string, nowMs: number): RawKeysFile {
  const entry = requireKey(file, name);
  if (keyStateAt(entry, nowMs) === 'revoked') return file;
  return replaceKey(file, name, { ...entry, revoked_at: new Date(nowMs).toISOString() });
}

export interface Rotation {
  readonly name: string;
  readonly nowMs: number;
  /** How long the old key stays valid beside the new one. */
  readonly overlapMs: number;
  /** The fields that differ in the new key: its digest, prefix and times. */
  readonly successor: Readonly<Record<string, unknown>>;
}

/**
 * Returns the file with a successor of a key, and the successor. It has the fields of the old key except its digest and
 * times, and a name with the next number, `ops-2` after `ops`, which separates the two in logs and metrics. The old key
 * expires after the overlap, or at its own expiry if that is sooner.
 */
export function rotateKey(file: RawKeysFile, rotation: Rotation): { file: RawKeysFile; entry: RawKeyEntry } {
  const { name, nowMs, overlapMs, successor } = rotation;
  const old = requireKey(file, name);
  const state = keyStateAt(old, nowMs);
  if (state !== 'active') throw new KeyEditError(`The key ${name} is ${state}. Create a new one instead.`);
  const expiresAtMs = Math.min(nowMs + overlapMs, Date.parse(String(old.expires_at ?? '')) || Number.POSITIVE_INFINITY);
  const entry: RawKeyEntry = { ...old, ...successor, name: nextName(file, name), revoked_at: null };
  const expiring = { ...old, expires_at: new Date(expiresAtMs).toISOString() };
  return { file: addKey(replaceKey(file, name, expiring), entry), entry };
}

/** Returns the file with other scopes of a key. */
export function setScopes(file: RawKeysFile, name: string, scopes: readonly string[]): RawKeysFile {
  return replaceKey(file, name, { ...requireKey(file, name), scopes });
}

/** Returns the file with another plan of the owner of a key: on this key, and on its others that name one. */
export function setPlan(file: RawKeysFile, name: string, plan: string): RawKeysFile {
  const { owner } = requireKey(file, name);
  const isPlanned = (key: RawKeyEntry) => key.name === name || (key.owner === owner && key.plan !== undefined);
  return { ...file, keys: file.keys.map((key) => (isPlanned(key) && !key.revoked_at ? { ...key, plan } : key)) };
}

function requireKey(file: RawKeysFile, name: string): RawKeyEntry {
  const entry = file.keys.find((key) => key.name === name);
  if (entry !== undefined) return entry;
  const names = file.keys.map((key) => key.name);
  const guess = didYouMean(name, names);
  const hint = guess || (names.length === 0 ? ' There are no keys yet.' : ' Run keys list to see the names.');
  throw new KeyEditError(`There is no key of that name.${hint}`, 'missing');
}

function replaceKey(file: RawKeysFile, name: string, entry: RawKeyEntry): RawKeysFile {
  return { ...file, keys: file.keys.map((key) => (key.name === name ? entry : key)) };
}

function nextName({ keys }: RawKeysFile, name: string): string {
  const taken = new Set(keys.map((key) => key.name));
  let ahead = 1;
  while (taken.has(successorName(name, ahead))) ahead++;
  return successorName(name, ahead);
}

/** Returns the name of the successor that many numbers ahead: `ops-3` for `ops` and 2. */
export function successorName(name: string, ahead: number): string {
  const [, stem = name, number = '1'] = /^(.+)-([2-9]|[1-9]\d{1,5})$/.exec(name) ?? [];
  return `${stem}-${Number(number) + ahead}`;
}
