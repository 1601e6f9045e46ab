import { z } from 'zod';
import { defineService } from './define-service.ts';
import type { Endpoint, RawServiceDefinition, Service } from './endpoint.ts';
import { parseEndpointPath } from './endpoint-path.ts';
import type { SchemaObject } from './json-pointer.ts';

/**
 * Defines a service that takes any query and any body, unless its endpoint names a contract, and answers with a status,
 * headers and bytes, or a stream, of its own.
 */
export function defineRawService({
  upstream,
  ignoresCaller = false,
  open,
  ...described
}: RawServiceDefinition): Service {
  const definition = {
    ...described,
    parameters: z.object({}),
    response: z.unknown(),
    raw: Object.freeze(upstream === undefined ? { open, ignoresCaller } : { open, ignoresCaller, upstream }),
    handle: () => {
      throw new Error(`The service ${described.name} answers through its raw handler.`);
    },
  };
  return defineService(definition);
}

/** What an endpoint of a raw service takes and answers where no contract says it: anything. */
export function describeRawEndpoint({ method, path, service }: Endpoint): {
  readonly parameters: readonly SchemaObject[];
  readonly requestBody: SchemaObject | undefined;
  readonly answers: Readonly<Record<string, SchemaObject>>;
} {
  const parsed = parseEndpointPath(path);
  const names = typeof parsed === 'string' ? [] : parsed.parameters;
  return {
    parameters: [...names.map(describeSegment), anyQuery],
    requestBody: method === 'get' ? undefined : anyBody,
    answers: { '2XX': anyAnswer(service.summary), ...otherAnswers },
  };
}

const describeSegment = (name: string): SchemaObject => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string' },
});

/** Every name, with any value: an object whose members are parameters of their own (OpenAPI 3.0, style `form`). */
const anyQuery: SchemaObject = {
  name: 'query',
  in: 'query',
  description: 'Any parameters: they are passed on as they are.',
  style: 'form',
  explode: true,
  schema: { type: 'object', additionalProperties: true },
  // Pages that try operations out would make parameters up.
  example: {},
};

const anyContent: SchemaObject = { '*/*': { schema: {} } };
const anyBody: SchemaObject = {
  description: 'Any body of any media type: it is passed on as it is.',
  content: anyContent,
};
const anyAnswer = (description: string): SchemaObject => ({ description, content: anyContent });

/** What the gateway answers itself with these statuses, an upstream may answer too, in its own words. */
const otherAnswers: Readonly<Record<string, SchemaObject>> = {
  '3XX': { description: 'Elsewhere, or not changed: no redirect is followed.', content: anyContent },
  ...Object.fromEntries(
    [400, 401, 403, 413, 429, 500, 502, 503, 504].map((status) => [
      status,
      anyAnswer('A problem of the gateway, or the answer of the upstream as it came.'),
    ]),
  ),
  default: anyAnswer('The answer of the upstream as it came, or a problem of the gateway.'),
};
