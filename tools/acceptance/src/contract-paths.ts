/** The parts of an OpenAPI document that declare responses. */
export interface OpenApiDocument {
  readonly servers?: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, unknown>>;
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface ResponseObject {
  readonly content?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, HeaderObject>>;
  /** The statuses that a `default` covers. */
  readonly 'x-statuses'?: readonly number[];
  /** The place of a shared response in the document. */
  readonly pointer?: readonly string[];
}

export interface HeaderObject {
  readonly required?: boolean;
}

export interface OperationObject {
  readonly operationId: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly { readonly 'x-multi-segment'?: boolean }[];
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

export interface FoundPath {
  /** The path from the root of the server. */
  readonly template: string;
  readonly pointer: readonly string[];
  readonly item: Readonly<Record<string, OperationObject>>;
}

/** Returns all declared paths with their operations. */
export function listPaths(document: OpenApiDocument): FoundPath[] {
  return Object.entries(document.paths).map(([path, item]) => createFoundPath(document, path, item));
}

/** Returns a function that finds the declared path of a request: literal before parameter before the rest of a path. */
export function createPathFinder(document: OpenApiDocument): (path: string) => FoundPath | undefined {
  const declared = listPaths(document);
  const patterns = declared
    .map((found) => {
      const hasRest = Object.values(found.item).some(({ parameters }) => parameters?.some((p) => p['x-multi-segment']));
      const rank = found.template.split('{').length + (hasRest ? found.template.length : 0);
      return { found, pattern: toPattern(found.template, hasRest), rank };
    })
    .sort((a, b) => a.rank - b.rank);
  return (path) => {
    // OData has a second form of keys, which OpenAPI cannot express.
    const segments = path.replace(/^(\/v2\/StaffMembers)(?:\(|%28)[^/]*(?:\)|%29)$/, '$1/key');
    // Routers decode each segment; `$` is the only character of a literal one that clients encode.
    return patterns.find(({ pattern }) => pattern.test(segments.replaceAll('%24', '$')))?.found;
  };
}

function createFoundPath(document: OpenApiDocument, path: string, item: unknown): FoundPath {
  const { servers = document.servers } = item as { servers?: { url: string }[] };
  const base = (servers?.[0]?.url ?? '/').replace(/\/$/, '');
  const operations = Object.entries(item as object).filter(([, value]) => value?.responses !== undefined);
  return {
    template: base + path,
    pointer: ['paths', path],
    item: Object.fromEntries(operations.map(([verb, operation]) => [verb, resolveResponses(document, operation)])),
  };
}

function resolveResponses(document: OpenApiDocument, operation: OperationObject): OperationObject {
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    const ref = (response as { $ref?: string }).$ref;
    if (ref === undefined) return [status, resolveHeaders(document, response)];
    const name = ref.replace('#/components/responses/', '');
    const shared = document.components?.responses?.[name] as ResponseObject;
    return [status, { ...resolveHeaders(document, shared), pointer: ['components', 'responses', name] }];
  });
  return { ...operation, responses: Object.fromEntries(responses) };
}

function resolveHeaders(document: OpenApiDocument, response: ResponseObject): ResponseObject {
  const headers = Object.entries(response.headers ?? {}).map(([name, header]) => {
    const ref = (header as { $ref?: string }).$ref;
    return [
      name,
      ref === undefined ? header : document.components?.headers?.[ref.replace('#/components/headers/', '')],
    ];
  });
  return { ...response, headers: Object.fromEntries(headers) };
}

function toPattern(template: string, hasRest: boolean): RegExp {
  const source = template
    .split(/\{[^}]+\}/)
    .map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^/]+');
  return new RegExp(`^${hasRest ? source.replace(/\[\^\/\]\+$/, '.+') : source}$`);
}
