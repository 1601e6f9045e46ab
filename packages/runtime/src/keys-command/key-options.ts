import { CommandFailure, exitCodes, parseDuration, parseFuture } from '../command/index.ts';
import type { KeysCommandOptions } from './keys-command.ts';

/** A name or owner that the file may hold. */
export function parseKeyName(
  option: '--name' | '--owner',
  text: string,
  { accepts }: Pick<KeysCommandOptions, 'accepts'>,
): string {
  if (accepts({ [option.slice(2)]: text })) return text;
  throw wrongUsage(
    `${option} takes letters, digits and . _ @ -, beginning with a letter or digit; not ${quoteShort(text)}.`,
  );
}

/** What a repeatable option was given, `--scope a --scope b`, `--scope a b` and `--scope a,b`, each once. */
export function parseNames(given: readonly string[]): string[] {
  return [...new Set(given.flatMap((text) => text.split(',')))].filter((name) => name !== '');
}

/** The moment that `--expires` gives. */
export function parseExpiry(text: string, nowMs: number): Date {
  const moment = parseFuture(text, nowMs);
  if (moment !== undefined) return moment;
  throw wrongUsage(
    `--expires takes a time to come, such as 90d, 12h, 2030-01-31 or 2030-01-31T12:00Z, not ${quoteShort(text)}.`,
  );
}

/** The length of `--overlap` in milliseconds; `0` for none. */
export function parseOverlap(text: string): number {
  const durationMs = text.trim() === '0' ? 0 : parseDuration(text);
  if (durationMs !== undefined) return durationMs;
  throw wrongUsage(`--overlap takes a duration such as 24h, 7d, 30m or 0, not ${quoteShort(text)}.`);
}

export function parsePrefix(text: string): string {
  if (/^[a-z][a-z0-9]{1,15}$/.test(text)) return text;
  throw wrongUsage('--prefix takes 2 to 16 lower-case letters and digits, beginning with a letter.');
}

/** What was typed, as a message shows it: its beginning at the most. */
export function quoteShort(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

function wrongUsage(detail: string): CommandFailure {
  return new CommandFailure(detail, exitCodes.usage);
}
