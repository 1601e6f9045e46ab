import { document as builtIn } from '@rostergate/gateway-spec';
import type { Endpoint, Service } from './endpoint.ts';
import type { SchemaObject } from './json-pointer.ts';

/** Responses by status. */
export type Responses = Readonly<Record<string, SchemaObject>>;

/** The part of an endpoint's content that determines its responses. */
export interface ResponseContent {
  readonly requestBody: SchemaObject | undefined;
  readonly responses: Responses;
  readonly errors: Responses;
}

/** Returns a function that joins an endpoint's responses with those of the gateway, once for each content. */
export function createResponsesReader(): (content: ResponseContent, endpoint: Endpoint) => Responses {
  const variants = [true, false].map(() => new Map<ResponseContent, Responses>());
  const own = new Map<Responses, Responses[]>();

  const ownOf = ({ errors, requestBody }: ResponseContent, needsScopes: boolean): Responses => {
    const i = (requestBody === undefined ? 0 : 1) + (needsScopes ? 2 : 0);
    const known = own.get(errors) ?? [];
    own.set(errors, known);
    known[i] ??= {
      ...errors,
      ...commonResponses,
      ...(requestBody === undefined ? {} : bodyResponses),
      ...(needsScopes ? scopeResponses : {}),
    };
    return known[i];
  };

  return (content, { scopes, cacheSeconds }) => {
    const needsScopes = scopes.length > 0;
    const known = variants[needsScopes ? 1 : 0] as Map<ResponseContent, Responses>;
    let responses = known.get(content);
    if (responses === undefined) {
      responses = joinResponses(content.responses, ownOf(content, needsScopes), limitHeaders);
      known.set(content, responses);
    }
    return cacheSeconds === 0 ? responses : { ...notModified, ...responses };
  };
}

/** Adds the responses to a WebSocket handshake. */
export function withWebSocket(responses: Responses): Responses {
  return {
    101: { description: 'The connection is a WebSocket from now on (RFC 6455).' },
    403: problemResponse('The key lacks a required scope, or pages of this origin may not connect.'),
    426: problemResponse('The request is no WebSocket handshake of version 13.'),
    ...responses,
  };
}

/** Describes the error statuses that a service declares. */
export function describeErrors(service: Service): Responses {
  return Object.fromEntries(
    Object.entries(service.errors ?? {}).map(([status, text]) => [status, problemResponse(text, failureHeaders)]),
  );
}

/** Joins the responses of a contract with those of the gateway. A status of both gets the media types of both. */
function joinResponses(contract: Responses, gateway: Responses, headers: SchemaObject): Responses {
  const joined: Record<string, SchemaObject> = {};
  for (const [status, response] of Object.entries(contract)) {
    const own = gateway[status];
    joined[status] =
      own === undefined ? withHeaders(response, headers) : joinTwo(response, resolveResponse(own), headers);
  }
  return { ...gateway, ...joined };
}

function joinTwo(response: SchemaObject, own: SchemaObject, headers: SchemaObject): SchemaObject {
  const { content = {} } = response as { content?: Readonly<Record<string, SchemaObject>> };
  const added = (own.content ?? {}) as Readonly<Record<string, SchemaObject>>;
  return {
    ...withHeaders(response, { ...headers, ...(own.headers as SchemaObject | undefined) }),
    content: {
      ...content,
      ...Object.fromEntries(
        Object.entries(added).map(([type, media]) => [
          type,
          eitherMedia(content[type] as SchemaObject | undefined, media),
        ]),
      ),
    },
  };
}

function eitherMedia(theirs: SchemaObject | undefined, ours: SchemaObject): SchemaObject {
  if (theirs?.schema === undefined) return ours;
  return { schema: { anyOf: [theirs.schema, ours.schema] } };
}

function withHeaders(response: SchemaObject, headers: SchemaObject): SchemaObject {
  return { ...response, headers: response.headers === undefined ? headers : { ...response.headers, ...headers } };
}

/** Follows a reference to a response of the built-in document. */
function resolveResponse(response: SchemaObject): SchemaObject {
  if (typeof response.$ref !== 'string') return response;
  const name = response.$ref.slice(response.$ref.lastIndexOf('/') + 1);
  return (builtIn.components?.responses?.[name] ?? {}) as SchemaObject;
}
const reference = (section: string, name: string): SchemaObject => ({ $ref: `#/components/${section}/${name}` });

const limitHeaders = {
  'X-Request-Id': reference('headers', 'RequestId'),
  RateLimit: reference('headers', 'RateLimit'),
  'RateLimit-Policy': reference('headers', 'RateLimitPolicy'),
};

/** An error response may say when to retry. */
const failureHeaders = { ...limitHeaders, 'Retry-After': reference('headers', 'RetryAfter') };

const commonResponses = {
  400: reference('responses', 'BadRequest'),
  401: reference('responses', 'Unauthorized'),
  429: reference('responses', 'TooManyRequests'),
  500: reference('responses', 'InternalServerError'),
  default: problemResponse('Any other error, including the errors of the service.', failureHeaders),
};

const notModified = { 304: reference('responses', 'NotModified') };

const scopeResponses = { 403: problemResponse('The key lacks a required scope.') };

const bodyResponses = {
  413: problemResponse('The body exceeds the limit of the gateway.'),
  415: problemResponse('The body is in a media type or encoding that the operation does not declare.'),
};

/** Returns the description of a response with a problem document. */
export function problemResponse(description: string, headers: SchemaObject = limitHeaders): SchemaObject {
  return {
    description,
    headers,
    content: { 'application/problem+json': { schema: reference('schemas', 'Problem') } },
  };
}
