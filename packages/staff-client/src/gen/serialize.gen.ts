// Written by tools/contract from tools/contract/templates/client/serialize.ts. Do not edit: run `pnpm generate`.
/**
 * Returns the query of a call, with its question mark. An array becomes one comma-separated value (`explode: false`).
 * Absent values and empty arrays are omitted. Text is returned unchanged.
 */
export function serializeQuery(query: object | string = {}): string {
  if (typeof query === 'string') return query;
  const pairs = Object.entries(query).map(([name, value]) => {
    const values = [value ?? []].flat().map((one) => encode(String(one)));
    return values.length === 0 ? '' : `&${encode(name).replace('%24', '$')}=${values.join()}`;
  });
  return pairs.join('').replace('&', '?');
}

/** Returns the path of a call with its parameters. Throws TypeError for a value that cannot be a path segment. */
export function serializePath(template: string, parameters: object = {}): string {
  return template.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const value = String((parameters as Record<string, unknown>)[name] ?? '');
    // URLs drop empty and dot segments (WHATWG URL, path state), which would change the path.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${name} is '${value}'.`);
    return encode(value);
  });
}

/** Encodes all characters except the unreserved ones of RFC 3986. Strict servers reject unencoded `!'()*`. */
function encode(value: string): string {
  return encodeURIComponent(value).replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
}
