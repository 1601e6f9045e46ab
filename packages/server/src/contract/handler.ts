import type { Readable } from 'node:stream';
import type { Context, Principal } from './context.ts';

type Content<T> = T extends { content: infer C } ? C : never;
type Json<C> = C extends { 'application/json': infer B } ? B : never;
type Present<T> = [T] extends [undefined] ? Record<never, never> : NonNullable<T>;
type Parameters<Op, K extends string> = Op extends { parameters: { [P in K]?: infer T } }
  ? Present<T>
  : Record<never, never>;

/** The validated and coerced request, in the types of the contract. */
export interface RequestOf<Op> {
  readonly path: Parameters<Op, 'path'>;
  readonly query: Parameters<Op, 'query'>;
  readonly body: Op extends { requestBody?: infer B } ? BodyOf<B> : undefined;
}

/** The parts of a request without the types of an operation; validation coerces the values in place. */
export interface RequestParts {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
  /** Header parameters by declared name; set for handlers with `readsFields`. */
  header?: Record<string, unknown>;
  /** Cookie parameters by name; set where the operation declares any. */
  cookie?: Record<string, unknown>;
}

type BodyOf<B> = [NonNullable<B>] extends [never]
  ? undefined
  : Content<NonNullable<B>>[keyof Content<NonNullable<B>>] | (undefined extends B ? undefined : never);

/** A list is sent as several headers, such as Set-Cookie. */
export type ReplyHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Bytes, text or a stream, sent unchanged. */
export interface RawReply {
  readonly status: number;
  readonly raw: string | Uint8Array | Readable;
  /** Undefined for a response without Content-Type, such as an upstream's. */
  readonly contentType: string | undefined;
  readonly headers?: ReplyHeaders;
  /**
   * The stream may stay open for long: it outlives the configuration of its request, and ends when the credential does.
   * With the status 101, it is the socket of the upstream.
   */
  readonly live?: { readonly idleMs: number };
  /** The same bytes object is likely to be sent again, so its compressed copies are cached. */
  readonly isRepeated?: boolean;
}

/** A value that is sent as JSON; without `body` the response has none. */
export interface JsonReply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: ReplyHeaders;
}

export type Reply = JsonReply | RawReply;

type JsonReplyOf<Status, Response> = [Json<Content<Response>>] extends [never]
  ? Content<Response> extends { 'application/problem+json': unknown }
    ? never
    : { readonly status: Status; readonly body?: undefined; readonly headers?: ReplyHeaders }
  : { readonly status: Status; readonly body: Json<Content<Response>>; readonly headers?: ReplyHeaders };

/** One member for each status of the operation in the contract; errors are thrown as `Problem`. */
export type ReplyOf<Op> =
  | (Op extends { responses: infer R } ? { [S in keyof R & number]: JsonReplyOf<S, R[S]> }[keyof R & number] : never)
  | RawReply;

export type Handler<Op, P extends Principal = Principal> = (
  request: RequestOf<Op>,
  context: Context<P>,
) => ReplyOf<Op> | Promise<ReplyOf<Op>>;

/** A handler of an operation that is unknown at compile time, such as a configured endpoint. */
export type AnyHandler = ((request: never, context: never) => Reply | Promise<Reply>) & {
  /**
   * The handler uses the texts of parameters and the bytes of the body rather than their values: numbers may have more
   * digits than JavaScript represents, and JSON objects must not name a member twice.
   */
  readonly forwardsTexts?: boolean;
  /** The handler uses the values of header and cookie parameters, so a repeated one is rejected. */
  readonly readsFields?: boolean;
};

/** The parts of a handler that its checks depend on. */
export type HandlerNeeds = Pick<AnyHandler, 'forwardsTexts' | 'readsFields'>;
export type Handlers = Readonly<Record<string, AnyHandler>>;
