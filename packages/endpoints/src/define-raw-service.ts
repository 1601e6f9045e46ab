import { markRest, parseEndpointPath } from '@rostergate/server';
import { z } from 'zod';
import { defineService } from './define-service.ts';
import type { Endpoint, RawServiceDefinition, Service } from './endpoint.ts';
import type { SchemaObject } from './json-pointer.ts';

/**
 * Returns a service that accepts any query and body, unless its endpoint names a contract, and responds with its own
 * status, headers and bytes or stream.
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
      throw new Error(`The service ${described.name} responds through its raw handler.`);
    },
  };
  return defineService(definition);
}

/** Describes an endpoint of a raw service that has no contract: it accepts and returns anything. */
export function describeRawEndpoint({ method, path, service }: Endpoint): {
  readonly parameters: readonly SchemaObject[];
  readonly requestBody: SchemaObject | undefined;
  readonly responses: Readonly<Record<string, SchemaObject>>;
} {
  const parsed = parseEndpointPath(path);
  const names = typeof parsed === 'string' ? [] : parsed.parameters;
  return {
    parameters: markRest([...names.map(describeSegment), anyQuery], path),
    requestBody: method === 'get' ? undefined : anyBody,
    responses: { '2XX': anyResponse(service.summary), ...otherResponses },
  };
}

const describeSegment = (name: string): SchemaObject => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string' },
});

/** Any parameters: the members of an exploded `form` object are separate parameters (OpenAPI 3.0). */
const anyQuery: SchemaObject = {
  name: 'query',
  in: 'query',
  description: 'Any parameters. They are forwarded unchanged.',
  style: 'form',
  explode: true,
  schema: { type: 'object', additionalProperties: true },
  // Otherwise documentation pages invent parameters when a user tries the operation.
  example: {},
};

const anyContent: SchemaObject = { '*/*': { schema: {} } };
const anyBody: SchemaObject = {
  description: 'Any body of any media type. It is forwarded unchanged.',
  content: anyContent,
};
const anyResponse = (description: string): SchemaObject => ({ description, content: anyContent });

/** The gateway and the upstream may both respond with these statuses. */
const otherResponses: Readonly<Record<string, SchemaObject>> = {
  '3XX': { description: 'A redirect, which the gateway does not follow, or Not Modified.', content: anyContent },
  ...Object.fromEntries(
    [400, 401, 403, 413, 429, 500, 502, 503, 504].map((status) => [
      status,
      anyResponse('A problem of the gateway, or the unchanged response of the upstream.'),
    ]),
  ),
  default: anyResponse('The unchanged response of the upstream, or a problem of the gateway.'),
};
