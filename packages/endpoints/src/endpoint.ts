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
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** Where each argument of the service comes from. */
  readonly arguments: readonly Argument[];
}

export type Argument =
  | { readonly name: string; readonly source: 'query' | 'path'; readonly key: string }
  | { readonly name: string; readonly source: 'configuration'; readonly value: unknown };

/** Whether requests of this method carry a body to the service. */
export function takesBody(method: EndpointMethod): boolean {
  return method === 'post' || method === 'put' || method === 'patch';
}
