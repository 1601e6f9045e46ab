import {
  type Column,
  CommandFailure,
  exitCodes,
  parseDuration,
  parseFuture,
  type Terminal,
} from '@rostergate/config/command';
import type { Command, Option } from 'commander';
import type { KeyAdministration, KeyChange } from '../key-store/key-administration.ts';
import type { KeyStore } from '../key-store/key-store.ts';
import type { RandomBytes, RawKeyEntry } from '../keys/index.ts';

/** The dependencies of the commands, and the keys of one server. */
export interface KeysCommandOptions {
  readonly terminal: Terminal;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly random: RandomBytes;
  /** The program, as people type it. */
  readonly program: string;
  /** The server in help texts, such as `gateway`. */
  readonly server: string;
  /** The keys file in help texts, such as `keys.json`. */
  readonly file: string;
  /** Creates the options of a command that locate the keys file. */
  readonly fileOptions: () => readonly Option[];
  /** Returns the keys of a server with these options, checked as the server checks them. */
  readonly storeOf: (given: Readonly<Record<string, unknown>>) => KeyStore | Promise<KeyStore>;
  /** Returns the keys of a running server that these options name; undefined for the store. */
  readonly remoteOf?: (given: Readonly<Record<string, unknown>>) => Promise<KeyAdministration | undefined>;
  /** Whether the store may record edits, which `keys audit` lists. */
  readonly hasAudit?: boolean;
  /** Returns whether the file may hold these fields, such as a name or an owner. */
  readonly accepts: (fields: Readonly<Record<string, unknown>>) => boolean;
  /** The default prefix of new keys. */
  readonly keyPrefix: string;
  readonly grants: KeyGrants;
}

/** What a key may do: the fields, options and columns that differ between the servers. */
export interface KeyGrants {
  readonly options: readonly GrantOption[];
  /** Returns the fields of a new entry. @throws CommandFailure for options that no entry can hold */
  readonly toFields: (given: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** Returns the same fields of an entry for programs, absent ones included. */
  readonly toJson: (entry: RawKeyEntry) => Readonly<Record<string, unknown>>;
  readonly columns: readonly GrantColumn[];
  /** What can be changed later. */
  readonly changes: readonly GrantChange[];
  /** What a successor inherits from the old key, in help texts: `owner and scopes`. */
  readonly inheritedByRotation: string;
}

/** An option of `keys create`, with flags and description for commander. */
export interface GrantOption {
  readonly flags: string;
  readonly description: string;
  readonly isNeeded?: boolean;
}

/** A command that changes what a key may do, with an argument for commander. */
export interface GrantChange {
  readonly action: 'plan' | 'scopes';
  readonly summary: string;
  readonly description: string;
  readonly argument: readonly [flags: string, description: string];
  readonly toChange: (value: unknown) => KeyChange;
}

export interface GrantColumn extends Column {
  /** Left out of a list in which no key has a value. */
  readonly isLeftOutIfEmpty?: boolean;
  readonly of: (entry: RawKeyEntry) => string;
}

/** The option for the plan of a key. The check of the file rejects an unknown plan. */
export const planOption: GrantOption = {
  flags: '--plan <plan>',
  description: 'plan of the owner, which sets its limits (default: that of its other keys)',
};

export const planChange: GrantChange = {
  action: 'plan',
  summary: 'Change the plan of the owner of a key',
  description: "Changes the plan of the owner of a key: on this key, and on the owner's other keys that name a plan.",
  argument: ['<plan>', 'the new plan'],
  toChange: (plan) => ({ plan: String(plan) }),
};

export const planColumn: GrantColumn = {
  title: 'PLAN',
  of: ({ plan = '' }) => String(plan),
  isLeftOutIfEmpty: true,
};

/** Adds the options that every subcommand ends with. */
export function addCommonOptions(
  command: Command,
  { fileOptions }: Pick<KeysCommandOptions, 'fileOptions'>,
  jsonDescription: string,
): Command {
  for (const option of fileOptions()) command.addOption(option);
  return command.option('--json', jsonDescription).helpOption('-h, --help', 'Show help');
}

/** Returns a name or owner that the file may hold. */
export function parseKeyName(
  option: '--name' | '--owner',
  text: string,
  { accepts }: Pick<KeysCommandOptions, 'accepts'>,
): string {
  const field = option.slice(2);
  if (accepts({ [field]: text })) return text;
  const others = [...'._@:|-'].filter((character) => accepts({ [field]: `a${character}` })).join(' ');
  throw wrongUsage(
    `${option} takes up to 128 letters, digits and ${others}, beginning with a letter or digit; not ${quoteShort(text)}.`,
  );
}

/** Returns the unique values of a repeatable option: `--scope a --scope b`, `--scope a b` or `--scope a,b`. */
export function parseNames(given: readonly string[]): string[] {
  return [...new Set(given.flatMap((text) => text.split(',')))].filter((name) => name !== '');
}

export function parseExpiry(text: string, nowMs: number): Date {
  const time = parseFuture(text, nowMs);
  if (time !== undefined) return time;
  throw wrongUsage(
    `--expires takes a time in the future, such as 90d, 12h, 2030-01-31 or 2030-01-31T12:00Z, not ${quoteShort(text)}.`,
  );
}

/** Returns the length of `--overlap` in milliseconds; `0` for none. */
export function parseOverlap(text: string): number {
  const durationMs = text.trim() === '0' ? 0 : parseDuration(text);
  if (durationMs !== undefined) return durationMs;
  throw wrongUsage(`--overlap takes a duration such as 24h, 7d, 30m or 0, not ${quoteShort(text)}.`);
}

export function parsePrefix(text: string): string {
  if (/^[a-z][a-z0-9]{1,15}$/.test(text)) return text;
  throw wrongUsage('--prefix takes 2 to 16 lower-case letters and digits, beginning with a letter.');
}

/** Returns the first 40 characters of typed text in quotes, for a message. */
export function quoteShort(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

function wrongUsage(detail: string): CommandFailure {
  return new CommandFailure(detail, exitCodes.usage);
}
