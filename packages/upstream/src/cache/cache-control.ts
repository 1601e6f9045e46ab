/**
 * Directives by lower-case name. One without an argument is `true`; one with an invalid argument is `''`, so that it
 * counts as present. A repeated directive has its first argument.
 */
export type CacheDirectives = ReadonlyMap<string, string | true>;

/** Parses a Cache-Control field (RFC 9111 §5.2), whose lines are joined with commas. */
export function parseCacheControl(value: string | undefined): CacheDirectives {
  if (value === undefined) return noDirectives;
  const directives = new Map<string, string | true>();
  for (const [member] of value.matchAll(listMember)) {
    const [, name, equals, quoted, token] = directive.exec(member) ?? [];
    if (name === undefined) continue;
    const key = name.toLowerCase();
    const isWhole = member.trim().length === name.length + (equals?.length ?? 0);
    const argument = quoted?.replaceAll(/\\(.)/g, '$1') ?? token ?? (equals === undefined ? true : '');
    if (!directives.has(key)) directives.set(key, isWhole ? argument : '');
  }
  return directives;
}

const noDirectives: CacheDirectives = new Map();

/** A comma in quotes does not end a member; an unclosed quote takes the rest. */
const listMember = /(?:"(?:[^"\\]|\\.)*(?:"|\\?$)|[^",])+/g;
const directive = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)(=(?:"((?:[^"\\]|\\.)*)"|([!#$%&'*+.^_`|~0-9A-Za-z-]+))?)?/;

/** Returns the seconds of a directive: undefined when it is absent, and 0, which is stale, when it is invalid (§4.2.1). */
export function secondsOf(directives: CacheDirectives, name: string): number | undefined {
  const value = directives.get(name);
  if (value === undefined) return undefined;
  return typeof value === 'string' ? (deltaSeconds(value) ?? 0) : 0;
}

/** Parses delta-seconds (§1.2.2): digits only, at most 2^31. */
export function deltaSeconds(value: string): number | undefined {
  return /^\d+$/.test(value) ? Math.min(Number(value), 2 ** 31) : undefined;
}

/** Returns the lower-case field names of a directive such as `no-cache="a, b"`; undefined without a list. */
export function fieldNamesOf(directives: CacheDirectives, name: string): readonly string[] | undefined {
  const value = directives.get(name);
  if (typeof value !== 'string') return undefined;
  const names = value.split(',').map((field) => field.trim().toLowerCase());
  return names.every((field) => /^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(field)) ? names : undefined;
}

/** Returns the same permission for private caches only: no shared cache may serve the response to another caller. */
export function toPrivateCacheControl(value: string): string {
  const directives = parseCacheControl(value);
  if (directives.get('private') === true) return value;
  if (directives.has('no-store') && !directives.has('must-understand')) return value;
  const rest = [...directives].filter(([name]) => !forSharedCaches.has(name));
  return ['private', ...rest.map(([name, argument]) => (argument === true ? name : `${name}=${quote(argument)}`))].join(
    ', ',
  );
}

const forSharedCaches: ReadonlySet<string> = new Set(['public', 'private', 's-maxage', 'proxy-revalidate']);

function quote(value: string): string {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(value) ? value : `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
}
