import { statusTexts } from '@rostergate/server/problem';
import type { z } from 'zod';
import type { Service } from './endpoint.ts';
import type { Responses } from './endpoint-responses.ts';
import type { SchemaObject } from './json-pointer.ts';
import { isEventStream, type ResponseDefinition, type ResponseDefinitions } from './service-responses.ts';

/** Adds a schema to the components under a name and returns a reference to it. */
type AddComponent = (name: string, schema: z.ZodType) => SchemaObject;

/** Describes a JSON response. */
export function describeJson(description: string, schema: SchemaObject, example: unknown): SchemaObject {
  return { description, content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } } };
}

/** Describes the responses of a service with `responses`. */
export function describeReplies(service: Service, replies: ResponseDefinitions, add: AddComponent): Responses {
  return Object.fromEntries(
    Object.entries(replies).map(([status, definition]) => [status, describeReply(service, status, definition, add)]),
  );
}

function describeReply(
  { summary }: Service,
  status: string,
  definition: ResponseDefinition,
  add: AddComponent,
): SchemaObject {
  const { body, stream, headers = {}, example } = definition;
  const description = definition.description ?? (status === '200' ? summary : `${statusTexts[status] ?? status}.`);
  const suffix = status === '200' ? '' : status;
  const described =
    body !== undefined
      ? describeJson(description, add(`Answer${suffix}`, body), example)
      : stream === undefined
        ? { description }
        : { description, content: { [stream]: describeStream(stream, definition, suffix, add) } };
  const declared = Object.entries(headers).map(([name, schema]) => [name, describeHeader(name, schema, suffix, add)]);
  return declared.length === 0 ? described : { ...described, headers: Object.fromEntries(declared) };
}

function describeStream(stream: string, { data }: ResponseDefinition, suffix: string, add: AddComponent): SchemaObject {
  const isText = /^text\/|[/+](json|xml|ndjson|jsonl)\b/.test(stream);
  const schema = { type: 'string', ...(isText ? {} : { format: 'binary' }) };
  // OpenAPI 3.0 describes the whole body only.
  return isEventStream(stream) && data !== undefined
    ? { schema, 'x-event-data': add(`Event${suffix}`, data) }
    : { schema };
}

function describeHeader(name: string, schema: z.ZodType, suffix: string, add: AddComponent): SchemaObject {
  const { description } = schema.meta() ?? {};
  return {
    ...(description === undefined ? {} : { description }),
    ...(schema.safeParse(undefined).success ? {} : { required: true }),
    schema: add(`Header${suffix}_${name}`, schema),
  };
}

/** Describes the problems of a service by status. */
export function describeProblems({ problems = {} }: Service): Responses {
  const byStatus = Map.groupBy(Object.entries(problems), ([, { status }]) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [
      status,
      {
        description: list.map(([code, { title }]) => `${title} (\`${code}\`).`).join(' '),
        headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
        content: {
          'application/problem+json': {
            schema: {
              allOf: [
                { $ref: '#/components/schemas/Problem' },
                { type: 'object', properties: { code: { type: 'string', enum: list.map(([code]) => code) } } },
              ],
            },
          },
        },
      },
    ]),
  );
}
