/**
 * The query of a call with its question mark: an array goes as one comma-separated value (`explode: false`), and what is
 * absent or an empty array is left out. A text is such a query already.
 */
export function serializeQuery(query: object | string = {}): string {
  if (typeof query === 'string') return query;
  const pairs = Object.entries(query).map(([name, value]) => {
    const values = [value ?? []].flat().map((one) => encode(String(one)));
    return values.length === 0 ? '' : `&${encode(name).replace('%24', '$')}=${values.join()}`;
  });
  return pairs.join('').replace('&', '?');
}

/** The path of a call with its parameters filled in; throws TypeError for one that no path segment can carry. */
export function serializePath(template: string, parameters: object = {}): string {
  return template.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const value = String((parameters as Record<string, unknown>)[name] ?? '');
    // URLs drop these (WHATWG URL, path state): the request would go to another path.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${name} is '${value}'.`);
    return encode(value);
  });
}

/** Everything but RFC 3986's unreserved characters: also `!'()*`, which strict servers refuse in a raw form. */
function encode(value: string): string {
  return encodeURIComponent(value).replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
}
