import type { RawReply } from '@rostergate/runtime/contract';
import type { UpstreamResponse } from '@rostergate/runtime/upstream';
import type { StaffCall } from '../staff-call.ts';

/** One turn with the upstream, with the account's token and by the deadline. */
export interface Exchange {
  /** Sends a call as it is. The answer is to be relayed, read or discarded. */
  ask(call: StaffCall): Promise<UpstreamResponse | 'token_refused'>;
  /** Both at once: asks, and relays the answer. */
  forward(call: StaffCall): Promise<RawReply | 'token_refused'>;
  /** The answer to that call as ours. @throws Problem for every refusal and fault of the upstream. */
  relay(answer: UpstreamResponse, call: StaffCall): RawReply | Promise<RawReply>;
  /** Reads of an answer what has to be there before ours can begin, by the deadline. @throws Problem 504. */
  inTime<T>(answer: UpstreamResponse, read: () => T | Promise<T>): T | Promise<T>;
  /** The value of a JSON answer; undefined for any other. @throws Problem when it breaks off or is too long to be held. */
  read(answer: UpstreamResponse): unknown;
}

/** What an upstream speaks: how it wants to be asked, and how its answers become those of the contract. */
export interface UpstreamForm {
  /** @throws Problem for every refusal and fault of the upstream. */
  send(call: StaffCall, exchange: Exchange): Promise<RawReply | 'token_refused'>;
}

/** An upstream that speaks the contract is asked what we are asked. */
export const contractForm: UpstreamForm = {
  send: (call, exchange) => exchange.forward(call),
};
