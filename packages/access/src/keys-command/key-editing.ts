import { hostname, userInfo } from 'node:os';
import { CommandFailure, exitCodes, type Terminal } from '@rostergate/config/command';
import { createKeyAdministration, type KeyAdministration } from '../key-store/key-administration.ts';
import { KeyStoreError } from '../key-store/key-store.ts';
import { KeyEditError, parseKey, type RawKeyEntry } from '../keys/index.ts';
import type { KeyGrants, KeysCommandOptions } from './key-options.ts';

/** Runs a command on the keys, which are closed afterwards; reports a change that they do not allow in one line. */
export async function withKeys<T>(
  options: KeysCommandOptions,
  given: Readonly<Record<string, unknown>>,
  run: (keys: KeyAdministration) => Promise<T>,
): Promise<T> {
  const keys = await openKeys(options, given);
  try {
    return await run(keys);
  } catch (error) {
    if (error instanceof KeyEditError) {
      const exitCode = error.reason === 'invalid' ? exitCodes.usage : exitCodes.invalid;
      throw new CommandFailure(error.message, exitCode, { cause: error });
    }
    if (error instanceof KeyStoreError) throw new CommandFailure(error.message, exitCodes.failed, { cause: error });
    throw error;
  } finally {
    await keys.close();
  }
}

async function openKeys(
  { storeOf, remoteOf, clock, random, keyPrefix }: KeysCommandOptions,
  given: Readonly<Record<string, unknown>>,
): Promise<KeyAdministration> {
  const remote = await remoteOf?.(given);
  if (remote !== undefined) return remote;
  const store = await storeOf(given);
  return createKeyAdministration({ store, actor: currentUser(), clock, random, keyPrefix });
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
