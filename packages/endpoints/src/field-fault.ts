import { z } from 'zod';

/** Returns why an argument cannot come from a header or cookie, as the end of a sentence; undefined when it can. */
export function fieldFault(place: 'header' | 'cookie', key: string, schema: z.ZodType): string | undefined {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(key)) {
    return `is not a valid name of a ${place}: use letters, digits and - _ . ~`;
  }
  if (place === 'header') {
    const reason = unusable[key.toLowerCase()];
    if (reason !== undefined) return `cannot be a parameter: ${reason}`;
  }
  const { type } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  if (type === 'object') return `holds no object: take its members from ${place}s of their own`;
  return type === 'array' && place === 'cookie' ? 'holds no list: use a header or a query parameter' : undefined;
}

const byOpenApi = 'OpenAPI ignores it as a parameter';
const byConnection = 'it belongs to the connection, not to the request';

/** Headers that cannot be parameters, in lower case. */
const unusable: Readonly<Record<string, string>> = {
  accept: byOpenApi,
  'content-type': byOpenApi,
  authorization: byOpenApi,
  'x-api-key': "it is the gateway's own key. Read the caller from context.principal",
  cookie: 'write { "source": "cookie" } with the name of the cookie',
  'set-cookie': 'it is a header of responses',
  'content-length': 'it describes the body',
  expect: byConnection,
  host: byConnection,
  connection: byConnection,
  'keep-alive': byConnection,
  'proxy-authenticate': byConnection,
  'proxy-authorization': byConnection,
  'proxy-connection': byConnection,
  te: byConnection,
  trailer: byConnection,
  'transfer-encoding': byConnection,
  upgrade: byConnection,
};
