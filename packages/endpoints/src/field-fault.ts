import { z } from 'zod';
import { gatewayHeaders, isHeaderName } from './endpoint-upstream.ts';

/** Returns why an argument cannot come from a header or cookie, as the end of a sentence; undefined when it can. */
export function fieldFault(place: 'header' | 'cookie', key: string, schema: z.ZodType): string | undefined {
  if (!isHeaderName(key)) {
    return `is not a valid name of a ${place}: use letters, digits and - _ . ~`;
  }
  if (place === 'header') {
    const lowerName = key.toLowerCase();
    const reason = unusable.get(lowerName) ?? (gatewayHeaders.has(lowerName) ? byConnection : undefined);
    if (reason !== undefined) return `cannot be a parameter: ${reason}`;
  }
  const { type } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  if (type === 'object') return `holds no object: take its members from ${place}s of their own`;
  return type === 'array' && place === 'cookie' ? 'holds no list: use a header or a query parameter' : undefined;
}

const byOpenApi = 'OpenAPI ignores it as a parameter';
const byConnection = 'it belongs to the connection, not to the request';

/** Headers that cannot be parameters beside `gatewayHeaders`, in lower case. */
const unusable: ReadonlyMap<string, string> = new Map([
  ['accept', byOpenApi],
  ['content-type', byOpenApi],
  ['authorization', byOpenApi],
  ['x-api-key', "it is the gateway's own key. Read the caller from context.principal"],
  ['cookie', 'write { "source": "cookie" } with the name of the cookie'],
  ['set-cookie', 'it is a header of responses'],
  ['content-length', 'it describes the body'],
  ['proxy-authenticate', byConnection],
  ['proxy-authorization', byConnection],
]);
