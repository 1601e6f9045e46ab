/** By lower-case name of a response header, a function that rewrites the addresses in its value. */
export type RewriteAddresses = ReadonlyMap<string, (value: string) => string>;

export interface ForwardedAddresses {
  /** Addresses of the upstream; the path in one precedes the path of each request. */
  readonly targets: readonly string[];
  /** Templates with `{name}` of the path below a target and of the public path. */
  readonly upstreamPath: string;
  readonly publicPath: string;
}

/**
 * Creates functions that replace the upstream's address in response headers by one of this server: clients cannot reach
 * the internal address and must not learn it. Addresses of other servers are not changed.
 */
export function createAddressRewriter({ targets, upstreamPath, publicPath }: ForwardedAddresses): RewriteAddresses {
  const hosts = new Set<string>();
  const domains = new Set<string>();
  const mappings = new Map<string, MapPath>();
  for (const target of targets) {
    const { host, hostname, pathname } = new URL(target);
    hosts.add(host);
    domains.add(hostname);
    const prefix = pathname.replace(/\/+$/, '');
    if (!mappings.has(prefix)) mappings.set(prefix, createPathMapping(prefix + upstreamPath, publicPath));
  }

  function mapPath(path: string): string | undefined {
    for (const map of mappings.values()) {
      const mapped = map(path);
      if (mapped !== undefined) return mapped;
    }
    return undefined;
  }

  function rewrite(reference: string): string {
    const absolute = /^(?:https?:)?[/\\]{2}[^/\\?#]*(.*)$/is.exec(reference);
    if (absolute === null) return reference.startsWith('/') ? ownPath(mapPath(reference) ?? reference) : reference;
    const host = URL.parse(reference, 'http://none')?.host;
    if (host === undefined || !hosts.has(host)) return reference;
    const rest = (absolute[1] as string).replace(/^(?![/\\])/, '/');
    return ownPath(mapPath(rest) ?? rest);
  }

  function rewriteCookie(cookie: string): string {
    // Blanks around the value are trimmed afterwards: a regular expression takes quadratic time.
    return cookie.replaceAll(/;\s*(domain|path)\s*=([^;]*)/gi, (attribute, name: string, text: string) => {
      const value = text.trim();
      if (name.toLowerCase() === 'domain') return domains.has(value.replace(/^\./, '').toLowerCase()) ? '' : attribute;
      const path = value.startsWith('/') ? mapPath(value) : undefined;
      return path === undefined ? attribute : `; ${name}=${path}`;
    });
  }

  return new Map([
    ['location', rewrite],
    ['content-location', rewrite],
    ['link', (value) => value.replaceAll(/<([^<>]*)>/g, (_, reference: string) => `<${rewrite(reference)}>`)],
    [
      'refresh',
      (value) =>
        value.replace(/^(\s*[\d.]+\s*[;,]\s*(?:url\s*=\s*)?['"]?)([^'"]*)/i, (_, before: string, reference: string) => {
          return before + rewrite(reference);
        }),
    ],
    ['set-cookie', rewriteCookie],
  ]);
}

/** Prevents a path from naming another server, as two leading slashes do. Browsers ignore tabs between them. */
function ownPath(path: string): string {
  return /^[/\\]\t*[/\\]/.test(path) ? `/.${path}` : path;
}

/** Returns the public path for a path of the upstream, with query and fragment; undefined without one. */
type MapPath = (path: string) => string | undefined;

/** Ignores the common end of both templates, so that sibling and child paths are mapped too. */
function createPathMapping(upstreamPath: string, publicPath: string): MapPath {
  const inside = upstreamPath.split('/');
  const outside = publicPath.split('/');
  while (inside.length > 1 && outside.length > 1 && inside.at(-1) === outside.at(-1)) {
    inside.pop();
    outside.pop();
  }
  const prefix = outside.join('/');
  const names = inside.filter((segment) => segment.startsWith('{'));
  if (outside.some((segment) => segment.startsWith('{') && !names.includes(segment))) return () => undefined;
  const pattern = inside.map(patternOf).join('/');
  const matching = new RegExp(`^${pattern}(?=${inside.some(isRest) ? '' : '/|'}[?#]|$)`);
  // Without a prefix every path matches: one that is already public is kept.
  const isPublic = inside.length === 1 ? new RegExp(`^${escapeForPattern(prefix)}(?=[/?#]|$)`) : undefined;
  return (path) => {
    if (isPublic?.test(path)) return path;
    const found = matching.exec(path);
    if (found === null) return undefined;
    const start = outside.map((segment) => (segment.startsWith('{') ? found[names.indexOf(segment) + 1] : segment));
    return `${start.join('/')}${path.slice(found[0].length)}`.replace(/^(?!\/)/, '/');
  };
}

const isRest = (segment: string): boolean => segment.endsWith('*}');

function patternOf(segment: string): string {
  if (isRest(segment)) return '([^?#]+?)';
  return segment.startsWith('{') ? '([^/?#]+)' : escapeForPattern(segment);
}

function escapeForPattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
