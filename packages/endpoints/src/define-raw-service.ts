import type { IncomingMessage } from 'node:http';
import type { RawReply, UnreadBody } from '@rostergate/runtime/contract';
import { z } from 'zod';
import { defineService, type Service, type ServiceContext } from './define-service.ts';
import type { Endpoint, UpstreamSettings } from './endpoint.ts';

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

/**
 * Defines a service that takes any query and any body, unless its endpoint names a contract, and answers with a status,
 * headers and bytes, or a stream, of its own.
 */
export function defineRawService({
  upstream,
  ignoresCaller = false,
  open,
  ...described
}: RawServiceDefinition): Service {
  const definition = {
    ...described,
    parameters: z.object({}),
    response: z.unknown(),
    raw: Object.freeze(upstream === undefined ? { open, ignoresCaller } : { open, ignoresCaller, upstream }),
    handle: () => {
      throw new Error(`The service ${described.name} answers through its raw handler.`);
    },
  };
  return defineService(definition);
}
