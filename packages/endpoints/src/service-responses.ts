import type { z } from 'zod';

/** One response of a service. Without `body` and `stream` it has no body. */
export interface ResponseDefinition {
  readonly description?: string;
  /** A JSON body. */
  readonly body?: z.ZodType;
  /** The media type of a body that is sent as it is produced, such as `text/csv` or `text/event-stream`. */
  readonly stream?: string;
  /** The `data` of the events of `text/event-stream`; text by default. */
  readonly data?: z.ZodType;
  /** How long an event stream may be silent before a comment is sent; 15 seconds by default. */
  readonly heartbeatMs?: number;
  readonly headers?: HeaderDefinitions;
  /** An example body for the documentation. */
  readonly example?: unknown;
}

/** Headers by name. A value is text, a number, a boolean, or a list for a repeated header. */
export type HeaderDefinitions = Readonly<Record<string, z.ZodType>>;
export type ResponseDefinitions = Readonly<Record<number, ResponseDefinition>>;

/** An event of `text/event-stream`. Text is sent as it is, any other data as JSON. */
export interface ServerSentEvent<T = unknown> {
  readonly event?: string;
  readonly data: T;
  /** The browser sends it in `Last-Event-ID` when it connects again. */
  readonly id?: string;
  /** How many milliseconds the browser waits before it connects again. */
  readonly retry?: number;
}

export const eventStreamType = 'text/event-stream';

type BodyOf<D> = D extends { readonly body: infer B extends z.ZodType }
  ? { readonly body: z.output<B> }
  : D extends { readonly stream: typeof eventStreamType; readonly data: infer B extends z.ZodType }
    ? { readonly body: Streamed<ServerSentEvent<z.output<B>>> }
    : D extends { readonly stream: typeof eventStreamType }
      ? { readonly body: Streamed<ServerSentEvent<string>> }
      : D extends { readonly stream: string }
        ? { readonly body: Streamed<string | Uint8Array> }
        : { readonly body?: undefined };

/** A generator, a Node stream, or any other iterable. */
export type Streamed<T> = AsyncIterable<T> | Iterable<T | Promise<T>>;

type OptionalNames<H> = {
  [N in keyof H]: H[N] extends z.ZodType ? (undefined extends z.output<H[N]> ? N : never) : never;
}[keyof H];

type HeaderValues<H extends HeaderDefinitions> = {
  readonly [N in Exclude<keyof H, OptionalNames<H>>]: z.output<H[N]>;
} & { readonly [N in OptionalNames<H>]?: z.output<H[N]> };

type HeadersOf<D> = D extends { readonly headers: infer H extends HeaderDefinitions }
  ? keyof H extends OptionalNames<H>
    ? { readonly headers?: HeaderValues<H> }
    : { readonly headers: HeaderValues<H> }
  : { readonly headers?: undefined };

type ReplyWith<S, D> = { readonly status: S } & BodyOf<D> & HeadersOf<D>;

/** What `handle` may return: one member for each status of `responses`, and one for `response`. */
export type ServiceReply<R, D> =
  | (R extends z.ZodType ? ReplyWith<200, { readonly body: R }> : never)
  | { [S in keyof D & number]: ReplyWith<S, D[S]> }[keyof D & number];

type HeaderNames<D> = D extends { readonly headers: infer H } ? keyof H : never;

type UndeclaredHeaders<T, D> = T extends {
  readonly status: infer S extends keyof D;
  readonly headers: infer H extends object;
}
  ? Exclude<keyof H, HeaderNames<D[S]>>
  : never;

/** Makes a header that `responses` does not declare a compile error: TypeScript does not check a returned object for it. */
export type OnlyDeclaredHeaders<T, D> = [UndeclaredHeaders<T, D>] extends [never]
  ? unknown
  : { readonly handle: `It returns the header ${UndeclaredHeaders<T, D> & string}, which responses does not declare` };

export function isEventStream(mediaType: string): boolean {
  return mediaType.split(';', 1)[0]?.trim().toLowerCase() === eventStreamType;
}
