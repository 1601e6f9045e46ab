import type { ReplyHeaders } from '@rostergate/server';

/** The spelling of fields that caching depends on. */
const spellings: ReadonlyMap<string, string> = new Map(
  [
    'Age',
    'Cache-Control',
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
