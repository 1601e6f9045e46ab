import type { IncomingMessage } from 'node:http';
import type { RawReply, Trace, UnreadBody } from '@rostergate/server';
import type { z } from 'zod';
import type { ContractOperation } from './contract/contract-operation.ts';
import type { Policy } from './policies/policy.ts';
import type { ProblemDefinitions } from './service-problems.ts';
import type { ResponseDefinitions } from './service-responses.ts';

export const endpointMethods = ['get', 'post', 'put', 'delete', 'patch'] as const;
export type EndpointMethod = (typeof endpointMethods)[number];

/** A valid endpoint of the configuration. */
export interface Endpoint {
  readonly operationId: string;
  readonly method: EndpointMethod;
  /** With parameters as `{name}`. */
  readonly path: string;
  readonly service: Service;
  /** Whether a key or token is required. */
  readonly requiresAuth: boolean;
  readonly acceptsKeys: boolean;
  /** Names of the issuers whose tokens it accepts. */
  readonly issuers: readonly string[];
  /** The endpoint's own keys as written in the configuration; undefined when the global keys apply. */
  readonly apiKeys: string | undefined;
  /** A key needs all of them. */
  readonly scopes: readonly string[];
  /** The endpoint's own limit, within the limit of the server. */
  readonly rateLimitPerMinute: number | undefined;
  /** Maximum time that a response to GET is cached; 0 disables caching. */
  readonly cacheSeconds: number;
  /** Freshness of a response that declares none. */
  readonly cacheDefaultSeconds: number;
  /** In the order in which they run. */
  readonly policies: readonly Policy[];
  /** Where the service forwards requests. */
  readonly upstream: UpstreamSettings | undefined;
  /** The operation of an OpenAPI document that describes the endpoint's requests and responses. */
  readonly contract: ContractReference | undefined;
  /** That operation, translated for the served document. */
  readonly operation: ContractOperation | undefined;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** The source of each argument of the service. */
  readonly arguments: readonly Argument[];
}

export interface UpstreamSettings {
  /** http or https; the path of a target is a prefix of the path of each request. */
  readonly targets: readonly string[];
  /** The weight of each target; undefined when they are equal. */
  readonly weights: readonly number[] | undefined;
  /** May use the parameters of the endpoint's path; undefined when the endpoint's path is used. */
  readonly path: string | undefined;
  /** As written: `${NAME}` is not yet replaced by the environment variable. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly retries: number;
  /** The regular checks of each target; undefined without. */
  readonly health: UpstreamHealth | undefined;
  /** When the circuit to a target opens; undefined for the defaults. */
  readonly breaker: UpstreamBreaker | undefined;
  /** The longest silence within a response, 0 for any; undefined for an endpoint that does not declare streams. */
  readonly streamIdleMs: number | undefined;
  /** Set for an endpoint that takes WebSockets only. */
  readonly webSocket: WebSocketSettings | undefined;
  /** How connections are secured; undefined for the defaults. */
  readonly tls: UpstreamTls | undefined;
  /** How the gateway gets a token for the upstream; undefined without. */
  readonly auth: UpstreamAuth | undefined;
}

export interface UpstreamTls {
  /** Relative to the folder of settings.json. */
  readonly caFile: string | undefined;
  readonly certificateFile: string | undefined;
  readonly keyFile: string | undefined;
  readonly serverName: string | undefined;
  /** The contents of the files, in PEM, once they have been read. */
  readonly ca?: string | undefined;
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
}

/** As written: `${NAME}` is not yet replaced by the environment variable. */
export type UpstreamAuth = {
  readonly tokenUrl: string;
  readonly tls: UpstreamTls | undefined;
} & (
  | {
      readonly type: 'client_credentials';
      readonly clientId: string;
      readonly clientSecret: string;
      readonly clientAuthentication: 'basic' | 'post';
      readonly scopes: readonly string[];
      readonly audience: string | undefined;
    }
  | {
      readonly type: 'login';
      readonly fields: Readonly<Record<string, string>>;
      readonly body: 'form' | 'json';
    }
);

export interface UpstreamHealth {
  /** Below the path of the target. */
  readonly path: string;
  readonly intervalMs: number;
  readonly timeoutMs: number;
  readonly unhealthyAfter: number;
  readonly healthyAfter: number;
}

export interface UpstreamBreaker {
  readonly window: number;
  readonly requestsMin: number;
  /** The circuit opens when more than this share has failed. */
  readonly failureShare: number;
  readonly openMs: number;
  readonly openMsMax: number;
}

export interface WebSocketSettings {
  /** The origins of pages that may connect, or `*`. */
  readonly origins: readonly string[];
  readonly connectionsMax: number;
  /** The time without data after which a WebSocket is closed; 0 for any. */
  readonly idleMs: number;
}

export interface ContractReference {
  /** Path of the document, relative to the folder of endpoints.json. */
  readonly document: string;
  readonly operationId: string;
}

export type Argument =
  | { readonly name: string; readonly source: 'query' | 'path' | 'header' | 'cookie'; readonly key: string }
  | { readonly name: string; readonly source: 'configuration'; readonly value: unknown };

/** Returns whether an endpoint takes arguments from headers or cookies. */
export function takesFields({ arguments: sources }: Pick<Endpoint, 'arguments'>): boolean {
  return sources.some(({ source }) => source === 'header' || source === 'cookie');
}

/** Returns whether requests with this method pass a body to the service. */
export function takesBody(method: EndpointMethod): boolean {
  return method === 'post' || method === 'put' || method === 'patch';
}

/** The caller that a key identifies. */
export interface Caller {
  readonly name: string;
  readonly owner: string;
  readonly scopes: readonly string[];
}

/** The context of a request, passed to a service beside its arguments. */
export interface ServiceContext {
  readonly requestId: string;
  /** Aborts when the caller disconnects before the response is sent. */
  readonly signal: AbortSignal;
  readonly principal: Caller | null;
  readonly req: IncomingMessage;
  /** The distributed trace of the request: `startCall` returns the headers for an outgoing request of the service. */
  readonly trace?: Pick<Trace, 'traceId' | 'spanId' | 'startCall'>;
}

/** A service without its type parameters. */
export interface Service {
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters: z.ZodObject;
  readonly body?: z.ZodType | undefined;
  readonly response: z.ZodType;
  readonly example?: unknown;
  /** Name of the configuration parameter whose value is an example of the response. */
  readonly exampleFrom?: string;
  readonly errors?: Readonly<Record<number, string>>;
  /** Every declared response by status; undefined for a service that returns only `response`. */
  readonly replies?: ResponseDefinitions | undefined;
  readonly problems?: ProblemDefinitions;
  /** Set for a service that handles raw requests; see `defineRawService`. */
  readonly raw?: Pick<RawServiceDefinition, 'upstream' | 'ignoresCaller' | 'open'>;
  handle(input: unknown, context: ServiceContext, problems?: unknown): unknown;
}

/** An unparsed request, for a service that forwards it or parses it itself. */
export interface RawRequest {
  /** Path parameters by name, decoded. */
  readonly path: Readonly<Record<string, string>>;
  /** Path parameters by name, percent-encoded as the client wrote them. */
  readonly pathTexts: Readonly<Record<string, string>>;
  /** As the client wrote it, including the question mark; empty without a query. */
  readonly query: string;
  /**
   * The unread body, which fails beyond the limit for bodies; or the received bytes, if a contract has validated them.
   * The content coding is not decoded. Undefined when the client sent no body.
   */
  readonly body: UnreadBody | Uint8Array | undefined;
  /**
   * Headers with which the cache revalidates its entry; they replace the conditional headers of the client. Undefined
   * without a cache entry.
   */
  readonly conditions: Readonly<Record<string, string>> | undefined;
}

/** Handles the requests of one endpoint of one configuration. */
export interface RawHandler {
  handle(request: RawRequest, context: ServiceContext): RawReply | Promise<RawReply>;
  /**
   * Returns a request header, by its lower-case name, as it is forwarded: `Vary` of the response refers to that. When
   * absent, the header of the client is used.
   */
  sentHeader?(name: string, req: IncomingMessage): string | undefined;
  /** Called once: after the configuration is replaced or the server stops, when the last request has ended. */
  close?(): void;
}

/** A fault in the upstream settings of an endpoint, with its path in them. */
export interface UpstreamSettingFault {
  readonly path: readonly (string | number)[];
  readonly detail: string;
}

export interface RawServiceDefinition {
  /** The name in `endpoints.json`, case-insensitive: letters, digits, `-` and `_`. */
  readonly name: string;
  /** One line for lists, and the default summary of an endpoint. */
  readonly summary: string;
  readonly description?: string;
  /** Error statuses, each with its description. */
  readonly errors?: Readonly<Record<number, string>>;
  /** Requires an `upstream` of its endpoints. `check` finds the faults that depend on the environment. */
  readonly upstream?: {
    check?(settings: UpstreamSettings): readonly UpstreamSettingFault[];
    /** Whether `handle` opens WebSockets, for endpoints with `websocket`. */
    readonly takesWebSockets?: boolean;
  };
  /**
   * Declares that responses never depend on the caller: `handle` does not read `context.principal`. Cached responses are
   * then shared by the keys of one owner; otherwise each key has its own.
   */
  readonly ignoresCaller?: boolean;
  /** Creates the handler of an endpoint: once for each configuration, before it is served, without I/O. */
  open(endpoint: Endpoint): RawHandler;
}
