import type { ReplyHeaders } from '@rostergate/server';

/** The spelling of fields that caching depends on. */
const spellings: ReadonlyMap<string, string> = new Map(
  [
    'Age',
    'Cache-Control',
    'Cache-Status',
    'Content-Encoding',
    'Content-Length',
    'Content-Location',
    'Content-Range',
    'Content-Type',
    'Date',
    'ETag',
    'Expires',
    'Last-Modified',
    'Location',
    'Set-Cookie',
    'Vary',
  ].map((name) => [name.toLowerCase(), name]),
);

/** Returns the headers of a reply with one spelling of those fields: services write names in any case. */
export function normalizeFields(headers: ReplyHeaders | undefined): ReplyHeaders {
  const normalized: Record<string, ReplyHeaders[string]> = {};
  for (const name in headers) {
    normalized[spellings.get(name.toLowerCase()) ?? name] = headers[name] as ReplyHeaders[string];
  }
  return normalized;
}

export function textOf(headers: ReplyHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.join(', ');
}

/** Returns the lower-case names of a list such as Vary, each once, sorted. */
export function fieldNames(list: string | undefined): string[] {
  if (list === undefined) return [];
  const names = list.split(',').map((name) => name.trim().toLowerCase());
  return [...new Set(names.filter((name) => name !== ''))].sort();
}

/** Returns the headers without the fields in `names`, which are lower-case. */
export function withoutFields(headers: ReplyHeaders, names: readonly string[]): ReplyHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name.toLowerCase())));
}

/** Returns the value of a request header that is sent upstream, by lower-case name. */
export type SentHeader = (name: string) => string | undefined;

/** Returns the normalized value of a request header, for comparing two requests. */
export type SelectingHeader = (name: string) => string;

/** Creates a reader that normalizes each header of one request once, on first use. */
export function selectingHeaders(sent: SentHeader): SelectingHeader {
  let known: Map<string, string> | undefined;
  return (name) => {
    known ??= new Map();
    let value = known.get(name);
    if (value === undefined) {
      value = normalized(sent(name));
      known.set(name, value);
    }
    return value;
  };
}

/** Longer values are compared unchanged. */
const normalizedLengthMax = 2_048;

/** An absent header differs from an empty one; spaces and tabs around commas are ignored. */
function normalized(value: string | undefined): string {
  if (value === undefined) return '\0';
  if (value.length > normalizedLengthMax || !value.includes(',')) return value;
  return value.split(',').map(withoutBlanks).join(',');
}

/** Trims spaces and tabs only: an upstream may distinguish others. A regular expression takes quadratic time. */
function withoutBlanks(member: string): string {
  let start = 0;
  let end = member.length;
  while (start < end && isBlank(member.charCodeAt(start))) start++;
  while (end > start && isBlank(member.charCodeAt(end - 1))) end--;
  return member.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/** Returns the values of these request headers as one text. */
export function variantKey(vary: readonly string[], selecting: SelectingHeader): string {
  return vary.map(selecting).join('\n');
}
