import type { Operation } from '@rostergate/runtime/contract';
import type { StaffKey } from './proxy-keys.ts';

/** One request on its way to the upstream, already valid by the contract. */
export interface StaffCall {
  readonly operation: Operation;
  /** Decoded path parameters by name. */
  readonly path: Readonly<Record<string, string>>;
  /** As the caller wrote it, without `?`: OData options are not re-encoded on their way. */
  readonly query: string;
  readonly body: unknown;
}

/** Lets a call pass, perhaps changed, or throws a `Problem`. Policies run in order, before the upstream is asked. */
export type Policy = (call: StaffCall, caller: StaffKey) => StaffCall;
