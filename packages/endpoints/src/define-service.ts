import type { IncomingMessage } from 'node:http';
import type { Trace } from '@rostergate/runtime/contract';
import type { z } from 'zod';
import { boundPatterns } from './bound-patterns.ts';
import { checkDefinition, DefinitionError } from './check-definition.ts';
import type { RawServiceDefinition } from './define-raw-service.ts';

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

/** The arguments of `handle`: every parameter by its name and, where the service takes one, the `body`. */
export type ServiceInput<P extends z.ZodObject, B extends z.ZodType | undefined> = z.output<P> &
  (B extends z.ZodType ? { readonly body: z.output<B> } : unknown);

export interface ServiceDefinition<P extends z.ZodObject, R extends z.ZodType, B extends z.ZodType | undefined> {
  /** How `endpoints.json` calls it, in any case: letters, digits, `-` and `_`. */
  readonly name: string;
  /** One line for lists; the documentation of an endpoint falls back to it. */
  readonly summary: string;
  readonly description?: string;
  /**
   * What the caller may send. A name that stands in the endpoint's path is taken from there, any other from the query.
   * A parameter with `.meta({ in: 'configuration' })` is never taken from the request: endpoints.json gives it.
   */
  readonly parameters: P;
  /** The JSON body; only for endpoints whose method has one. */
  readonly body?: B;
  /** The JSON answer, sent with status 200. What it does not name is left out; what it forbids is answered with 500. */
  readonly response: R;
  /** An answer to show in the documentation. */
  readonly example?: z.output<R>;
  /** Statuses that `handle` may throw as problems beyond those of every endpoint, with what they mean here. */
  readonly errors?: Readonly<Record<number, string>>;
  handle(input: ServiceInput<P, B>, context: ServiceContext): z.output<R> | Promise<z.output<R>>;
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

/**
 * Defines what endpoints can be made of: its schemas become the contract of each endpoint, the validation of each
 * request and the type of what `handle` is given.
 * @throws DefinitionError, a TypeError that names everything that is wrong with the definition.
 */
export function defineService<P extends z.ZodObject, R extends z.ZodType, B extends z.ZodType | undefined = undefined>(
  definition: ServiceDefinition<P, R, B>,
): Service {
  const faults = checkDefinition(definition);
  if (faults.length > 0) throw new DefinitionError(faults);
  boundPatterns(definition.parameters, definition.body, definition.response);
  const service = Object.freeze({ ...definition }) as unknown as Service;
  defined.add(service);
  return service;
}

const defined = new WeakSet<object>();

/** Whether a value is what `defineService` returned. */
export function isService(value: unknown): value is Service {
  return typeof value === 'object' && value !== null && defined.has(value);
}
