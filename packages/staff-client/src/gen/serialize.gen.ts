// Written by tools/contract from tools/contract/templates/client/serialize.ts. Do not edit: run `pnpm generate`.
/**
 * The query of a call. `joined` names the arrays that go as one comma-separated value (`explode: false`); the others
 * repeat their name. What is absent or an empty array is not sent.
 */
export function serializeQuery(query: object, joined: readonly string[] = []): string {
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    const values = (Array.isArray(value) ? value : [value]).map((one) => encode(String(one)));
    if (values.length === 0) continue;
    const key = encode(name).replaceAll('%24', '$');
    pairs.push(...(joined.includes(name) ? [values.join(',')] : values).map((one) => `${key}=${one}`));
  }
  return pairs.join('&');
}

/** The path of a call with its parameters filled in; throws TypeError for one that no path segment can carry. */
export function serializePath(template: string, parameters: object): string {
  return template.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const value = String((parameters as Record<string, unknown>)[name] ?? '');
    // URLs drop these (WHATWG URL, path state): the request would go to another path.
    if (value === '' || value === '.' || value === '..') throw new TypeError(`${name} cannot be '${value}'.`);
    return encode(value);
  });
}

/** Everything but RFC 3986's unreserved characters: also `!'()*`, which strict servers refuse in a raw form. */
function encode(value: string): string {
  return encodeURIComponent(value).replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}
