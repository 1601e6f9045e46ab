import { hostname, userInfo } from 'node:os';
import { ConfigError } from '@rostergate/config';
import { CommandFailure, exitCodes, type Terminal } from '@rostergate/config/command';
import { type KeyEdit, type KeyStore, KeyStoreError } from '../key-store/key-store.ts';
import {
  createKey,
  KeyEditError,
  parseKey,
  type RandomBytes,
  type RawKeyEntry,
  type RawKeysFile,
} from '../keys/index.ts';
import type { KeyGrants } from './key-options.ts';

/** Returns a new key with the derived fields of its entry. */
export function mintKey(prefix: string, random: RandomBytes) {
  const { key, sha256 } = createKey(prefix, random);
  return { key, prefix: key.slice(0, `${prefix}_live_`.length + 3), sha256 };
}

/** Runs a command on the keys of a store, which is closed afterwards; reports an edit that the keys do not allow in one line. */
export async function withStore<T>(
  store: KeyStore | Promise<KeyStore>,
  run: (store: KeyStore) => Promise<T>,
): Promise<T> {
  const opened = await store;
  try {
    return await run(opened);
  } catch (error) {
    if (error instanceof KeyEditError) throw new CommandFailure(error.message, exitCodes.invalid, { cause: error });
    if (error instanceof KeyStoreError) throw new CommandFailure(error.message, exitCodes.failed, { cause: error });
    throw error;
  } finally {
    await opened.close();
  }
}

/** Edits the keys; reports options that no key can have in one line. */
export async function editKeys(
  store: KeyStore,
  about: Omit<KeyEdit, 'actor'>,
  edit: (file: RawKeysFile) => RawKeysFile,
): Promise<void> {
  let edited: RawKeysFile | undefined;
  try {
    await store.edit({ ...about, actor: currentUser() }, (file) => {
      edited = edit(file);
      return edited;
    });
  } catch (error) {
    // The keys were valid before, so the options cause the faults. Their places in the unwritten text are meaningless.
    if (error instanceof ConfigError && edited !== undefined) {
      const details = error.faults.map(({ field, detail }) => `${field.replace(/^keys\[\d+\]\./, '')}: ${detail}`);
      throw new CommandFailure(details.join(' '), exitCodes.usage, { cause: error });
    }
    throw error;
  }
}

/** Returns who runs the command, for the audit trail. */
function currentUser(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    // The user of a container may have no name.
    return `${process.getuid?.() ?? 'unknown'}@${hostname()}`;
  }
}

/** Rejects a key that is given in place of its name, without repeating it. */
export function rejectKey(name: string, program: string): string {
  if (parseKey(name) === null) return name;
  throw new CommandFailure(`This is a key. Give its name, which \`${program} keys list\` shows.`, exitCodes.usage);
}

export interface ShownKey {
  readonly key: string;
  readonly entry: RawKeyEntry;
  readonly toJson: KeyGrants['toJson'];
  /** The message for people, without the key. */
  readonly message: string;
  readonly wantsJson: boolean;
  /** More fields for programs. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** Writes a new key to stdout, on a line of its own, and everything else to stderr. Nothing else ever shows a key. */
export function showKey(
  { out, err }: Terminal,
  { key, entry, toJson, message, wantsJson, extra = {} }: ShownKey,
): void {
  if (wantsJson) {
    out.write(`${JSON.stringify({ key, ...toKeyJson(entry, toJson), ...extra }, null, 2)}\n`);
    return;
  }
  err.write(`${message}\n`);
  if (out.isTerminal) err.write('Store the key now. It is shown only once.\n');
  out.write(`${key}\n`);
}

/** Returns an entry for programs, without the digest. */
export function toKeyJson(entry: RawKeyEntry, toJson: KeyGrants['toJson']): Readonly<Record<string, unknown>> {
  const { name, owner, prefix = '', created_at = null, expires_at = null, revoked_at = null } = entry;
  return { name, owner, prefix, ...toJson(entry), created_at, expires_at, revoked_at };
}

/** Returns `expires on 2027-01-01 00:00 UTC` or `has no expiry`. */
export function describeExpiry(time: unknown): string {
  return typeof time === 'string' ? `expires on ${shortTime(time)} UTC` : 'has no expiry';
}

/** Returns `2027-01-01 00:00`, or a dash when there is no time. */
export function shortTime(time: unknown): string {
  return typeof time === 'string' ? new Date(time).toISOString().slice(0, 16).replace('T', ' ') : '–';
}
