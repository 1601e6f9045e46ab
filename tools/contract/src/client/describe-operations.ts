import {
  type HttpMethod,
  httpMethods,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type PathItem,
  type RequestBodyObject,
  type ResponseObject,
  resolveReference,
} from '../spec/openapi-document.ts';
import { ToolFailure } from '../tool-failure.ts';

/** An operation as a client calls it. */
export interface ClientOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly method: HttpMethod;
  /** From the root of the server: the path-level `servers` go before the document's. */
  readonly path: string;
  readonly isPublic: boolean;
  readonly pathParameters: Presence;
  readonly queryParameters: Presence;
  readonly body: Presence;
  /** Headers that make a call conditional, of those that the contract declares. */
  readonly conditions: readonly Condition[];
  /** What a good answer can be: status and media type; JSON first. */
  readonly answers: readonly { readonly status: string; readonly media: string }[];
}

/** What clients send and prefer to be sent. */
export const jsonMedia = 'application/json';

export type Condition = (typeof conditions)[number];
const conditions = ['If-Match', 'If-None-Match'] as const;

export type Presence = 'required' | 'optional' | 'none';

/** The operations of a bundled document in its order; refuses what no method could be written for. */
export function describeOperations(document: OpenApiDocument): ClientOperation[] {
  return Object.entries(document.paths).flatMap(([template, item]) =>
    httpMethods.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [describeOperation(document, template, item, method, operation)];
    }),
  );
}

function describeOperation(
  document: OpenApiDocument,
  template: string,
  item: PathItem,
  method: HttpMethod,
  operation: OperationObject,
): ClientOperation {
  const { operationId, summary = '', description = '' } = operation;
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((parameter) =>
    resolveReference<ParameterObject>(document, parameter),
  );
  for (const { name, in: place, schema, explode } of parameters) {
    if (place === 'query' && schema?.type === 'array' && explode !== false) {
      throw new ToolFailure(
        `${operationId} takes ${name} value by value: clients send every array as one, comma by comma.`,
      );
    }
  }
  const security = operation.security ?? document.security ?? [];
  return {
    operationId,
    summary,
    description,
    method,
    path: basePath(item.servers ?? document.servers) + template,
    isPublic: security.every((requirement) => Object.keys(requirement).length === 0),
    pathParameters: presenceOf(parameters.filter((parameter) => parameter.in === 'path')),
    queryParameters: presenceOf(parameters.filter((parameter) => parameter.in === 'query')),
    body: describeBody(document, operation),
    conditions: conditions.filter((header) =>
      parameters.some(({ in: place, name }) => place === 'header' && name === header),
    ),
    answers: Object.entries(operation.responses)
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([status, response]) =>
        Object.keys(resolveReference<ResponseObject>(document, response).content ?? {})
          // A form such as `application/json;odata.metadata=minimal` is for those who ask for it.
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
    throw new ToolFailure(`${operation.operationId} takes no ${jsonMedia}: clients send nothing else.`);
  }
  return body.required ? 'required' : 'optional';
}

function basePath(servers: readonly { readonly url: string }[] | undefined): string {
  return new URL(servers?.[0]?.url ?? '/', 'http://localhost').pathname.replace(/\/$/, '');
}
