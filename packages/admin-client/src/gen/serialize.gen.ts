// Written by tools/contract from tools/contract/templates/client/serialize.ts. Do not edit: run `pnpm generate`.
import { createQuerySerializer } from 'openapi-fetch';

const serialize = createQuerySerializer({ array: { style: 'form', explode: false } });

/**
 * Returns the query of a call. An array becomes one comma-separated value. Absent values and empty arrays are omitted.
 * Text is returned unchanged.
 */
export function serializeQuery(query: object | string = {}): string {
  if (typeof query === 'string') return query;
  // openapi-fetch encodes values only.
  const named = Object.entries(query).map(([name, value]) => [encodeURIComponent(name).replaceAll('%24', '$'), value]);
  return encodeRest(serialize(Object.fromEntries(named)));
}

/**
 * Returns the path of a call with its parameters: `{name}` is one segment, `{name*}` one or more. Throws TypeError for a
 * value that cannot be a path segment.
 */
export function serializePath(template: string, parameters: Readonly<Record<string, unknown>> = {}): string {
  return template.replaceAll(/\{([^{}*]+)(\*?)\}/g, (_, name: string, star: string) => {
    const value = String(parameters[name] ?? '');
    const segments = star === '' ? [value] : value.split('/');
    // URLs drop empty and dot segments (WHATWG URL, path state), which would change the path.
    if (segments.some((segment) => /^\.{0,2}$/.test(segment))) throw new TypeError(`${name} is '${value}'.`);
    return segments.map((segment) => encodeRest(encodeURIComponent(segment))).join('/');
  });
}

/** Encodes what `encodeURIComponent` and openapi-fetch leave. Strict servers reject unencoded `!'()*` and spaces. */
function encodeRest(text: string): string {
  return text.replaceAll(/[!'()* ]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
}
