import type { IncomingMessage } from 'node:http';
import type { RawReply, Trace, UnreadBody } from '@rostergate/runtime/contract';
import type { z } from 'zod';
import type { ContractOperation } from './contract/contract-operation.ts';

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

/** Who calls, when a key was presented. */
export interface Caller {
  readonly name: string;
  readonly owner: string;
  readonly scopes: readonly string[];
}

/** What a service is told of a request beside its own arguments. */
export interface ServiceContext {
  readonly requestId: string;
  /** Aborts when the caller goes away before the answer is out. */
  readonly signal: AbortSignal;
  readonly principal: Caller | null;
  readonly req: IncomingMessage;
  /** The distributed trace of the request: `startCall` gives the headers for a request of the service's own. */
  readonly trace?: Pick<Trace, 'traceId' | 'spanId' | 'startCall'>;
}

/** A service whose types are known to itself alone. */
export interface Service {
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters: z.ZodObject;
  readonly body?: z.ZodType | undefined;
  readonly response: z.ZodType;
  readonly example?: unknown;
  readonly errors?: Readonly<Record<number, string>>;
  /** What a service has that reads requests and writes answers in its own way; see `defineRawService`. */
  readonly raw?: Pick<RawServiceDefinition, 'upstream' | 'ignoresCaller' | 'open'>;
  handle(input: unknown, context: ServiceContext): unknown;
}

/** A request as it came, for a service that passes it on or reads it in its own way. */
export interface RawRequest {
  /** Path parameters by name, decoded. */
  readonly path: Readonly<Record<string, string>>;
  /** Path parameters by name, percent-encoded as the client wrote them. */
  readonly pathTexts: Readonly<Record<string, string>>;
  /** With its question mark, as the caller wrote it; empty without a query. */
  readonly query: string;
  /**
   * Unread, within the limit for bodies; or, where a contract says what may be sent, the bytes as they came, which are
   * valid. Either is in its content coding. Undefined when the caller sent none.
   */
  readonly body: UnreadBody | Uint8Array | undefined;
  /**
   * Headers with which a cache asks whether what it holds still stands; they take the place of the caller's own
   * conditions. Undefined where nothing is kept.
   */
  readonly conditions: Readonly<Record<string, string>> | undefined;
}

/** What answers for one endpoint of one configuration. */
export interface RawHandler {
  handle(request: RawRequest, context: ServiceContext): RawReply | Promise<RawReply>;
  /**
   * Returns a request header, by its lower-case name, as it is sent on: `Vary` of the response refers to that. Without
   * it, what the caller sent.
   */
  sentHeader?(name: string, req: IncomingMessage): string | undefined;
  /** Called once, when the configuration was replaced, or the server stops, and its last request has ended. */
  close?(): void;
}

/** What is wrong with the upstream of an endpoint, and where in it. */
export interface UpstreamSettingFault {
  readonly path: readonly (string | number)[];
  readonly detail: string;
}

export interface RawServiceDefinition {
  /** How `endpoints.json` calls it, in any case: letters, digits, `-` and `_`. */
  readonly name: string;
  /** One line for lists; the documentation of an endpoint falls back to it. */
  readonly summary: string;
  readonly description?: string;
  /** Statuses with which it fails, with what they mean here. */
  readonly errors?: Readonly<Record<number, string>>;
  /** Its endpoints have an `upstream`, and no others may. `check` finds what can be told only where it is served. */
  readonly upstream?: { check?(settings: UpstreamSettings): readonly UpstreamSettingFault[] };
  /**
   * Its responses never depend on who calls: `handle` reads nothing of `context.principal`. Stored responses are then
   * shared by the keys of one owner; otherwise each key has its own.
   */
  readonly ignoresCaller?: boolean;
  /** Makes what answers for an endpoint: once for each configuration, before it is served, and without I/O. */
  open(endpoint: Endpoint): RawHandler;
}
