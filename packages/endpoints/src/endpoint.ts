import type { ContractOperation } from './contract/contract-operation.ts';
import type { Service } from './define-service.ts';

export const endpointMethods = ['get', 'post', 'put', 'delete', 'patch'] as const;
export type EndpointMethod = (typeof endpointMethods)[number];

/** An endpoint that keeps every rule: ready to be served and described. */
export interface Endpoint {
  readonly operationId: string;
  readonly method: EndpointMethod;
  /** With parameters as `{name}`. */
  readonly path: string;
  readonly service: Service;
  readonly requiresAuth: boolean;
  /** Keys of this endpoint alone, as written in the configuration; undefined where the global ones hold. */
  readonly apiKeys: string | undefined;
  /** All of them are needed. */
  readonly scopes: readonly string[];
  /** A limit of this endpoint alone, within that of the server. */
  readonly rateLimitPerMinute: number | undefined;
  /** The longest that a response to GET is stored; 0 for not at all. */
  readonly cacheSeconds: number;
  /** How long a response is fresh that declares no freshness itself. */
  readonly cacheDefaultSeconds: number;
  /** Where a service that forwards sends to. */
  readonly upstream: UpstreamSettings | undefined;
  /** The operation of another document that says what the endpoint takes and answers. */
  readonly contract: ContractReference | undefined;
  /** That operation, in the words of the served document. */
  readonly operation: ContractOperation | undefined;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** Where each argument of the service comes from. */
  readonly arguments: readonly Argument[];
}

export interface UpstreamSettings {
  /** http or https; a path in one stands before the path of each request. */
  readonly targets: readonly string[];
  /** With the parameters of the endpoint's path; undefined where it is the endpoint's own. */
  readonly path: string | undefined;
  /** As written, `${NAME}` of the environment not yet filled in. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly retries: number;
}

export interface ContractReference {
  /** Path of the document, relative to the folder of endpoints.json. */
  readonly document: string;
  readonly operationId: string;
}

export type Argument =
  | { readonly name: string; readonly source: 'query' | 'path'; readonly key: string }
  | { readonly name: string; readonly source: 'configuration'; readonly value: unknown };

/** Whether requests of this method carry a body to the service. */
export function takesBody(method: EndpointMethod): boolean {
  return method === 'post' || method === 'put' || method === 'patch';
}
