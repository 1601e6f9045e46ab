import type { Readable } from 'node:stream';
import type { Context, Principal } from './context.ts';

type Content<T> = T extends { content: infer C } ? C : never;
type Json<C> = C extends { 'application/json': infer B } ? B : never;
type Present<T> = [T] extends [undefined] ? Record<never, never> : NonNullable<T>;
type Parameters<Op, K extends string> = Op extends { parameters: { [P in K]?: infer T } }
  ? Present<T>
  : Record<never, never>;

/** What a handler is given: already validated and coerced, in the contract's types. */
export interface RequestOf<Op> {
  readonly path: Parameters<Op, 'path'>;
  readonly query: Parameters<Op, 'query'>;
  readonly body: Op extends { requestBody?: infer B } ? BodyOf<B> : undefined;
}
type BodyOf<B> = [NonNullable<B>] extends [never]
  ? undefined
  : Content<NonNullable<B>>[keyof Content<NonNullable<B>>] | (undefined extends B ? undefined : never);

/** A list stands for a header that is sent several times, such as Set-Cookie. */
export type ReplyHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Ready-made bytes or a stream, sent as they are. */
export interface RawReply {
  readonly status: number;
  readonly raw: string | Uint8Array | Readable;
  /** Undefined where the upstream gave none: the response then has none. */
  readonly contentType: string | undefined;
  readonly headers?: ReplyHeaders;
  /** The same bytes object is likely to be sent again: what it is compressed to is kept with it. */
  readonly isKept?: boolean;
}

/** A value that is sent as JSON; without `body` the answer has none. */
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

/** One member for each status that the contract gives the operation; errors are thrown as `Problem`. */
export type ReplyOf<Op> =
  | (Op extends { responses: infer R } ? { [S in keyof R & number]: JsonReplyOf<S, R[S]> }[keyof R & number] : never)
  | RawReply;

export type Handler<Op, P extends Principal = Principal> = (
  request: RequestOf<Op>,
  context: Context<P>,
) => ReplyOf<Op> | Promise<ReplyOf<Op>>;

/** A handler whose operation is not known at compile time, such as a configured endpoint's. */
export type AnyHandler = ((request: never, context: never) => Reply | Promise<Reply>) & {
  /**
   * The handler uses the texts of parameters and the bytes of the body, not their values: numbers may have more digits
   * than a value keeps, and JSON must name each member once.
   */
  readonly keepsTexts?: boolean;
};
export type Handlers = Readonly<Record<string, AnyHandler>>;
