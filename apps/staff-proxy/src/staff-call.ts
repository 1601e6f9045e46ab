import type { CallSignal, Operation, RawReply, Trace } from '@rostergate/server';
import type { StaffKey } from './keys/proxy-keys.ts';

/** A validated request for the upstream: all that its response depends on. */
export interface StaffCall {
  readonly operation: Operation;
  /** Decoded path parameters by name. */
  readonly path: Readonly<Record<string, string>>;
  /** As the caller wrote it, without `?`: OData options are not re-encoded. */
  readonly query: string;
  readonly body: unknown;
  /** Company of the caller's key. */
  readonly companyKey: string;
  /** The request's headers that the contract declares, by their names in the contract. */
  readonly headers: Readonly<Record<string, string>>;
  readonly accept: string | undefined;
  /** The caller accepts no stored response (RFC 9111 §5.2.1.4). */
  readonly isToBeFresh?: boolean;
  /** Whether the response keeps members that the contract lacks. */
  readonly keepsUnknownMembers?: boolean;
}

/** The client that waits for the response to a call. */
export interface Caller {
  readonly requestId: string;
  /** The proxies that the request passed, this one last (RFC 9110 §7.6.3). */
  readonly via?: string | undefined;
  /** Aborts when the client disconnects. */
  readonly signal: CallSignal;
  readonly trace?: Pick<Trace, 'startCall'> | undefined;
  /** Callers of one owner share a queue lane; lanes take turns. */
  readonly principal?: { readonly owner: string } | null;
}

/**
 * Answers a call. Queues, shared reads, hidden parts and checks wrap functions of this type.
 * @throws Problem for every rejection and fault of the upstream.
 */
export type SendCall = (call: StaffCall, caller: Caller) => Promise<RawReply>;

/** Returns the call, changed if needed, or throws a `Problem`. Policies run in order, before the upstream is asked. */
export type Policy = (call: StaffCall, key: StaffKey) => StaffCall;
