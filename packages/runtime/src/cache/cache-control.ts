/** Directives by lower-case name; one without a value is `true`, one that comes twice keeps its first value. */
export type CacheDirectives = ReadonlyMap<string, string | true>;

/** Reads a Cache-Control field (RFC 9111 §5.2). What cannot be read is passed over. */
export function parseCacheControl(value: string | undefined): CacheDirectives {
  const directives = new Map<string, string | true>();
  if (value === undefined) return directives;
  for (const [, name, quoted, token] of value.matchAll(directive)) {
    const key = (name as string).toLowerCase();
    if (!directives.has(key)) directives.set(key, quoted ?? token ?? true);
  }
  return directives;
}

const directive = /([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,";]+)))?/g;

/** A directive in seconds; undefined when it is absent, and 0 when it is no number: better stale than wrong (§4.2.1). */
export function secondsOf(directives: CacheDirectives, name: string): number | undefined {
  const value = directives.get(name);
  if (value === undefined) return undefined;
  return typeof value === 'string' && /^\d+$/.test(value) ? Math.min(Number(value), 2 ** 31) : 0;
}

/**
 * The same permission for the caller alone: an answer that was given for a key must not come to whoever asks a cache in
 * between without one.
 */
export function toPrivateCacheControl(value: string): string {
  const directives = parseCacheControl(value);
  if (directives.has('no-store') || directives.has('private')) return value;
  const kept = [...directives].filter(([name]) => !forSharedCaches.has(name));
  return ['private', ...kept.map(([name, given]) => (given === true ? name : `${name}=${quote(given)}`))].join(', ');
}

const forSharedCaches: ReadonlySet<string> = new Set(['public', 's-maxage', 'proxy-revalidate']);

function quote(value: string): string {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(value) ? value : `"${value}"`;
}
