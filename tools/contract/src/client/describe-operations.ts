import {
  type HttpMethod,
  listOperations,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type PlacedOperation,
  type RequestBodyObject,
  type ResponseObject,
  resolveReference,
} from '../spec/openapi-document.ts';
import { ToolFailure } from '../workspace.ts';

/** The parts of an operation that a client needs. */
export interface ClientOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly method: HttpMethod;
  /** Path from the root of the server. A last parameter with `x-multi-segment` is written `{name*}`. */
  readonly path: string;
  readonly isPublic: boolean;
  readonly pathParameters: Presence;
  readonly queryParameters: Presence;
  readonly body: Presence;
  /** Declared headers that make a call conditional. */
  readonly conditions: readonly Condition[];
  /** Status and media type of each successful response. JSON is first. */
  readonly successes: readonly { readonly status: string; readonly media: string }[];
}

/** The media type that clients send, and prefer to receive. */
export const jsonMedia = 'application/json';

export type Condition = (typeof conditions)[number];
const conditions = ['If-Match', 'If-None-Match'] as const;

export type Presence = 'required' | 'optional' | 'none';

/** Returns the operations of a bundled document, in its order. Throws for an operation that a client cannot call. */
export function describeOperations(document: OpenApiDocument): ClientOperation[] {
  return listOperations(document).map((placed) => describeOperation(document, placed));
}

function describeOperation(document: OpenApiDocument, placed: PlacedOperation): ClientOperation {
  const { method, path, item, operation } = placed;
  const { operationId, summary = '', description = '' } = operation;
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((parameter) =>
    resolveReference<ParameterObject>(document, parameter),
  );
  for (const { name, in: place, schema, explode } of parameters) {
    if (place === 'query' && schema?.type === 'array' && explode !== false) {
      throw new ToolFailure(
        `${operationId} takes ${name} value by value, but clients send an array as one comma-separated value: set explode to false.`,
      );
    }
  }
  const security = operation.security ?? document.security ?? [];
  return {
    operationId,
    summary,
    description,
    method,
    path: parameters.some((parameter) => parameter['x-multi-segment'] === true) ? path.replace(/\}$/, '*}') : path,
    isPublic: security.every((requirement) => Object.keys(requirement).length === 0),
    pathParameters: presenceOf(parameters.filter((parameter) => parameter.in === 'path')),
    queryParameters: presenceOf(parameters.filter((parameter) => parameter.in === 'query')),
    body: describeBody(document, operation),
    conditions: conditions.filter((header) =>
      parameters.some(({ in: place, name }) => place === 'header' && name === header),
    ),
    successes: Object.entries(operation.responses)
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([status, response]) =>
        Object.keys(resolveReference<ResponseObject>(document, response).content ?? {})
          // Media types with parameters, such as `application/json;odata.metadata=minimal`, need an explicit request.
          .filter((media) => !media.includes(';'))
          .map((media) => ({ status, media })),
      )
      .sort((a, b) => Number(b.media === jsonMedia) - Number(a.media === jsonMedia)),
  };
}

function presenceOf(parameters: readonly ParameterObject[]): Presence {
  if (parameters.length === 0) return 'none';
  return parameters.some((parameter) => parameter.required) ? 'required' : 'optional';
}

function describeBody(document: OpenApiDocument, operation: OperationObject): Presence {
  if (operation.requestBody === undefined) return 'none';
  const body = resolveReference<RequestBodyObject>(document, operation.requestBody);
  if (body.content[jsonMedia] === undefined) {
    throw new ToolFailure(
      `${operation.operationId} takes no ${jsonMedia}, but clients send nothing else: add it to the request body.`,
    );
  }
  return body.required ? 'required' : 'optional';
}
