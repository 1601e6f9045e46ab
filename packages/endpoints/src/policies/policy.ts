import type { IncomingMessage } from 'node:http';
import type { Context, Reply } from '@rostergate/server';
import type { z } from 'zod';
import type { HeaderRules } from '../configuration-schema.ts';

/** A valid policy of the configuration. */
export type Policy =
  | AddressesPolicy
  | HeadersPolicy
  | CorsPolicy
  | { readonly name: string; readonly type: 'body_size'; readonly bytesMax: number }
  | CodePolicy
  | ExpressPolicy;

export interface AddressesPolicy {
  readonly name: string;
  readonly type: 'addresses';
  /** Addresses and CIDR blocks; empty admits all that are not denied. */
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

export interface HeadersPolicy {
  readonly name: string;
  readonly type: 'headers';
  readonly request: CompiledHeaderRules;
  readonly response: CompiledHeaderRules;
  /** As written, to compare configurations. */
  readonly given: { readonly request: HeaderRules; readonly response: HeaderRules };
}

export interface CorsPolicy {
  readonly name: string;
  readonly type: 'cors';
  readonly origins: readonly string[];
  readonly credentials: boolean;
  readonly maxAgeSeconds: number;
}

export interface CodePolicy {
  readonly name: string;
  readonly type: 'code';
  readonly module: string;
  readonly policy: CustomPolicy;
  /** As the policy's schema has parsed them. */
  readonly options: unknown;
  /** As written, to compare configurations. */
  readonly given: unknown;
}

export interface ExpressPolicy {
  readonly name: string;
  readonly type: 'express';
  readonly module: string;
  readonly middleware: ExpressMiddleware;
}

/** A middleware of Express, or a router. */
export type ExpressMiddleware = (req: Context['req'], res: Context['res'], next: (error?: unknown) => void) => unknown;

/** The exports of the modules in the folder of services, by file; undefined for a module that did not load. */
export type PolicyModules = ReadonlyMap<string, Readonly<Record<string, unknown>> | undefined>;

/** The context of a request, passed to the functions of a policy. */
export interface PolicyContext {
  readonly req: IncomingMessage;
  readonly requestId: string;
  /** Aborts when the caller disconnects, or when the policy does not finish in time. */
  readonly signal: AbortSignal;
  /** The caller, by key or token; null without one. */
  readonly principal: {
    readonly name: string;
    readonly owner: string;
    readonly scopes: readonly string[];
    readonly plan?: string | undefined;
  } | null;
  /** The claims of the caller's verified access token; empty for a key and without a credential. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** The endpoint of the request; `path` is its template. */
  readonly operation: { readonly operationId: string; readonly method: string; readonly path: string };
  /** The address of the client; behind a trusted proxy, the one that the proxy reports. */
  readonly address: string | undefined;
  /** An object that `before` may fill for `after`: one for each policy and request. */
  readonly state: Record<string, unknown>;
  /**
   * Sets a header of the request that the service `http` forwards; the client's own copies are not forwarded. Without a
   * value, the header is removed. Has no effect after `before`.
   * @throws TypeError for a name that the gateway sets itself, or characters that a header cannot carry
   */
  setRequestHeader(name: string, value: string | undefined): void;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a function without `return` has this type.
export type PolicyOutcome = Reply | void | Promise<Reply | void>;

/** A policy without its type parameter. */
export interface CustomPolicy {
  readonly summary?: string;
  readonly options?: z.ZodType;
  readonly answers: Readonly<Record<number, string>>;
  readonly before?: (context: PolicyContext, options: unknown) => PolicyOutcome;
  readonly after?: (reply: Reply, context: PolicyContext, options: unknown) => PolicyOutcome;
}

/** The values that a header may name, such as `{owner}`. */
export const headerPlaceholders = ['owner', 'key', 'address', 'operation', 'request_id'] as const;
export type HeaderPlaceholder = (typeof headerPlaceholders)[number];

/** A text, or a list of texts and placeholders. */
export type HeaderTemplate = string | readonly (string | { readonly placeholder: HeaderPlaceholder })[];

/** Header rules in the form that a request needs. */
export interface CompiledHeaderRules {
  /** The lower-case names of headers whose previous values are dropped. */
  readonly dropped: ReadonlySet<string>;
  readonly fields: readonly HeaderField[];
}

export interface HeaderField {
  readonly name: string;
  readonly value: HeaderTemplate;
}
