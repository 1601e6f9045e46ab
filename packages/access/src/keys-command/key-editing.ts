import { ConfigError } from '@rostergate/config';
import { CommandFailure, exitCodes, type Terminal } from '@rostergate/config/command';
import {
  createKey,
  editKeysFile,
  KeyEditError,
  type KeysFileStoreOptions,
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

/** Edits the keys file; reports an edit that the keys do not allow in one line. */
export async function editKeys(store: KeysFileStoreOptions, edit: (file: RawKeysFile) => RawKeysFile): Promise<void> {
  let edited: RawKeysFile | undefined;
  try {
    await editKeysFile(store, (file) => {
      edited = edit(file);
      return edited;
    });
  } catch (error) {
    if (error instanceof KeyEditError) throw new CommandFailure(error.message, exitCodes.invalid, { cause: error });
    // The file was valid before, so the options cause the faults. Their places in the unwritten text are meaningless.
    if (error instanceof ConfigError && edited !== undefined) {
      const details = error.faults.map(({ field, detail }) => `${field.replace(/^keys\[\d+\]\./, '')}: ${detail}`);
      throw new CommandFailure(details.join(' '), exitCodes.usage, { cause: error });
    }
    throw error;
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
