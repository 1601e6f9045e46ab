import type { CallSignal, Operation, RawReply, Trace } from '@rostergate/runtime/contract';
import type { StaffKey } from './keys/proxy-keys.ts';

/** One request on its way to the upstream, already valid by the contract: all that its answer hangs on. */
export interface StaffCall {
  readonly operation: Operation;
  /** Decoded path parameters by name. */
  readonly path: Readonly<Record<string, string>>;
  /** As the caller wrote it, without `?`: OData options are not re-encoded on their way. */
  readonly query: string;
  readonly body: unknown;
  /** The company that the caller's key stands for. */
  readonly companyKey: string;
  /** Headers that the contract gives the operation, by its names, as the caller sent them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly accept: string | undefined;
  /** The caller wants no kept answer (RFC 9111 §5.2.1.4). */
  readonly isToBeFresh?: boolean;
}

/** Who waits for the answer to a call. */
export interface Caller {
  readonly requestId: string;
  /** The proxies that the request came through, this one last (RFC 9110 §7.6.3). */
  readonly via?: string | undefined;
  /** Aborts when nobody waits any more. */
  readonly signal: CallSignal;
  readonly trace?: Pick<Trace, 'startCall'> | undefined;
  /** Callers of one owner wait in one line; lines take turns. */
  readonly principal?: { readonly owner: string } | null;
}

/**
 * Answers a call. What queues, retries, shares, keeps or checks answers wraps a function of this shape.
 * @throws Problem for every refusal and fault of the upstream.
 */
export type SendCall = (call: StaffCall, caller: Caller) => Promise<RawReply>;

/** Lets a call pass, perhaps changed, or throws a `Problem`. Policies run in order, before the upstream is asked. */
export type Policy = (call: StaffCall, key: StaffKey) => StaffCall;
