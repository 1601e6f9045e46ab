import type { IncomingHttpHeaders } from 'node:http';
import type { ReplyHeaders } from '../contract/index.ts';
import { parseCacheControl, secondsOf } from './cache-control.ts';

export interface JudgedAnswer {
  readonly status: number;
  readonly headers: ReplyHeaders;
  /** How long it may be kept when it says nothing, and at most. */
  readonly secondsMax: number;
  /** Whether the request brought credentials that are not told apart by the key it is kept under. */
  readonly hasCredentials: boolean;
  readonly nowMs: number;
}

export interface Lifetime {
  /** How old it was when it came (RFC 9111 §4.2.3), in milliseconds. */
  readonly ageMs: number;
  /** How long it may be given again from now without asking; 0 or less when it has to be asked about each time. */
  readonly freshMs: number;
  /** Names of request headers that the answer depends on, in lower case. */
  readonly vary: readonly string[];
  /** Whether the answer itself said how long it holds. */
  readonly isExplicit: boolean;
}

/** How long an answer may be given again by a shared cache (RFC 9111 §3); undefined when it may not be kept at all. */
export function judgeStorability(answer: JudgedAnswer): Lifetime | undefined {
  const { status, headers, secondsMax, hasCredentials, nowMs } = answer;
  const directives = parseCacheControl(textOf(headers, 'Cache-Control'));
  if (directives.has('no-store') || directives.has('private')) return undefined;
  // Legal to keep (RFC 9111 §7.3), but a session given to the next caller is a session stolen.
  if (headers['Set-Cookie'] !== undefined) return undefined;
  // A stream of events never ends.
  if (textOf(headers, 'Content-Type')?.startsWith('text/event-stream')) return undefined;
  const isForAll = directives.has('public') || directives.has('s-maxage') || directives.has('must-revalidate');
  if (hasCredentials && !isForAll) return undefined;
  const vary = namesOf(textOf(headers, 'Vary'));
  if (vary.includes('*')) return undefined;
  const declared = declaredSeconds(headers, directives);
  if (!(declared === undefined ? keptBySetting : keptWhenDeclared).has(status)) return undefined;
  const ageMs = ageOf(headers, nowMs);
  const mustAsk = directives.has('no-cache');
  if (mustAsk && textOf(headers, 'ETag') === undefined && textOf(headers, 'Last-Modified') === undefined)
    return undefined;
  const remainingMs = declared === undefined ? secondsMax * 1_000 : declared * 1_000 - ageMs;
  return {
    ageMs,
    freshMs: mustAsk ? 0 : Math.min(remainingMs, secondsMax * 1_000),
    vary,
    isExplicit: declared !== undefined || mustAsk,
  };
}

/** Whether the request itself brings credentials beside the key under which its answer is kept. */
export function bringsCredentials(request: IncomingHttpHeaders, isKeptPerOwner: boolean): boolean {
  return request.cookie !== undefined || (request.authorization !== undefined && !isKeptPerOwner);
}

/** Of statuses that may be kept without a word, those for which a setting is word enough. */
const keptBySetting: ReadonlySet<number> = new Set([200, 203, 204, 300, 301, 308]);
const keptWhenDeclared: ReadonlySet<number> = new Set([...keptBySetting, 302, 307, 404, 405, 410, 414, 501]);

/** What the answer says of its freshness (§4.2.1), for a shared cache; undefined when it says nothing. */
function declaredSeconds(headers: ReplyHeaders, directives: ReturnType<typeof parseCacheControl>): number | undefined {
  const seconds = secondsOf(directives, 's-maxage') ?? secondsOf(directives, 'max-age');
  if (seconds !== undefined) return seconds;
  const expires = textOf(headers, 'Expires');
  if (expires === undefined) return undefined;
  // A date that is none has passed already (§5.3).
  const span = Date.parse(expires) - Date.parse(textOf(headers, 'Date') ?? '');
  return Number.isNaN(span) ? 0 : span / 1_000;
}

function ageOf(headers: ReplyHeaders, nowMs: number): number {
  const age = textOf(headers, 'Age');
  const said = age !== undefined && /^\d+$/.test(age) ? Number(age) * 1_000 : 0;
  const date = Date.parse(textOf(headers, 'Date') ?? '');
  return Math.max(said, Number.isNaN(date) ? 0 : nowMs - date, 0);
}

export function textOf(headers: ReplyHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.join(', ');
}

function namesOf(list: string | undefined): string[] {
  if (list === undefined) return [];
  const names = list.split(',').map((name) => name.trim().toLowerCase());
  return [...new Set(names.filter((name) => name !== ''))].sort();
}
