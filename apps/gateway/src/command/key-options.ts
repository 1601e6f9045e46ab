import { CommandFailure, exitCodes, parseDuration, parseFuture } from '@rostergate/runtime/command';
import { keysFileSchema } from '../keys-file.ts';

/** A name or owner that keys.json may hold, by the schema of that file. */
export function parseKeyName(option: '--name' | '--owner', text: string): string {
  if (isAccepted({ [option.slice(2)]: text })) return text;
  throw wrongUsage(
    `${option} takes letters, digits and . _ @ -, beginning with a letter or digit; not ${quote(text)}.`,
  );
}

/** The scopes of `--scope a --scope b`, `--scope a b` and `--scope a,b`, each once. */
export function parseScopes(given: readonly string[]): string[] {
  const scopes = [...new Set(given.flatMap((text) => text.split(',')))].filter((scope) => scope !== '');
  const wrong = scopes.find((scope) => !/^[\x21-\x7e]+$/.test(scope) || !isAccepted({ scopes: [scope] }));
  if (wrong === undefined) return scopes;
  throw wrongUsage(`--scope takes up to 128 signs without blanks, such as reports:read; not ${quote(wrong)}.`);
}

function isAccepted(fields: object): boolean {
  return keysFileSchema.safeParse({ keys: [{ name: 'a', owner: 'a', sha256: '0'.repeat(64), ...fields }] }).success;
}

/** The moment that `--expires` gives. */
export function parseExpiry(text: string, nowMs: number): Date {
  const moment = parseFuture(text, nowMs);
  if (moment !== undefined) return moment;
  throw wrongUsage(
    `--expires takes a time to come, such as 90d, 12h, 2030-01-31 or 2030-01-31T12:00Z, not ${quote(text)}.`,
  );
}

/** The length of `--overlap` in milliseconds; `0` for none. */
export function parseOverlap(text: string): number {
  const durationMs = text.trim() === '0' ? 0 : parseDuration(text);
  if (durationMs !== undefined) return durationMs;
  throw wrongUsage(`--overlap takes a duration such as 24h, 7d, 30m or 0, not ${quote(text)}.`);
}

export function parsePrefix(text: string): string {
  if (/^[a-z][a-z0-9]{1,15}$/.test(text)) return text;
  throw wrongUsage('--prefix takes 2 to 16 lower-case letters and digits, beginning with a letter.');
}

function wrongUsage(detail: string): CommandFailure {
  return new CommandFailure(detail, exitCodes.usage);
}

function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
