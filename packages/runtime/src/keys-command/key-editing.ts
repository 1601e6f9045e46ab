import { CommandFailure, exitCodes, type Terminal } from '../command/index.ts';
import { ConfigError } from '../config/index.ts';
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
import type { KeyGrants } from './key-grants.ts';

/** A new key with the fields of its entry that follow from it. */
export function mintKey(prefix: string, random: RandomBytes) {
  const { key, sha256 } = createKey(prefix, random);
  return { key, prefix: key.slice(0, `${prefix}_live_`.length + 3), sha256 };
}

/** Edits the keys file; what cannot be done is told in a line. */
export async function editKeys(store: KeysFileStoreOptions, edit: (file: RawKeysFile) => RawKeysFile): Promise<void> {
  let edited: RawKeysFile | undefined;
  try {
    await editKeysFile(store, (file) => {
      edited = edit(file);
      return edited;
    });
  } catch (error) {
    if (error instanceof KeyEditError) throw new CommandFailure(error.message, exitCodes.faulty, { cause: error });
    // The file was good before, so the faults are of what was given; their places are in a text that nobody sees.
    if (error instanceof ConfigError && edited !== undefined) {
      const details = error.faults.map(({ field, detail }) => `${field.replace(/^keys\[\d+\]\./, '')}: ${detail}`);
      throw new CommandFailure(details.join(' '), exitCodes.usage, { cause: error });
    }
    throw error;
  }
}

/** Who mistakes the key for its name must not see it in a message, nor get used to typing it. */
export function refuseKey(name: string, program: string): string {
  if (parseKey(name) === null) return name;
  throw new CommandFailure(
    `That is a key itself: give its name, which \`${program} keys list\` shows.`,
    exitCodes.usage,
  );
}

export interface ShownKey {
  readonly key: string;
  readonly entry: RawKeyEntry;
  readonly toJson: KeyGrants['toJson'];
  /** What was done, without the key. */
  readonly told: string;
  readonly wantsJson: boolean;
  /** More for programs. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** The only place that ever shows a key: one line on stdout. What else there is to say goes to stderr. */
export function showKey({ out, err }: Terminal, { key, entry, toJson, told, wantsJson, extra = {} }: ShownKey): void {
  if (wantsJson) {
    out.write(`${JSON.stringify({ key, ...toKeyJson(entry, toJson), ...extra }, null, 2)}\n`);
    return;
  }
  err.write(`${told}\n`);
  if (out.isTerminal) err.write('Store the key now: it is kept nowhere and shown only this once.\n');
  out.write(`${key}\n`);
}

/** An entry for programs, without the digest. */
export function toKeyJson(entry: RawKeyEntry, toJson: KeyGrants['toJson']): Readonly<Record<string, unknown>> {
  const { name, owner, prefix = '', created_at = null, expires_at = null, revoked_at = null } = entry;
  return { name, owner, prefix, ...toJson(entry), created_at, expires_at, revoked_at };
}

/** `ends on 2027-01-01 00:00 UTC` or `never ends`. */
export function describeEnd(time: unknown): string {
  return typeof time === 'string' ? `ends on ${shortTime(time)} UTC` : 'never ends';
}

/** `2027-01-01 00:00`; a dash for none. */
export function shortTime(time: unknown): string {
  return typeof time === 'string' ? new Date(time).toISOString().slice(0, 16).replace('T', ' ') : '–';
}
