import type { AddressesPolicy } from '@rostergate/endpoints';
import type { Context, RoutePolicies } from '@rostergate/server';
import { createAddressList } from '@rostergate/server/edge';
import { Problem } from '@rostergate/server/problem';
import type { CountRejection } from './policy-run.ts';

/** Reads the address of a request's client. */
export type AddressOf = (req: Context['req']) => string | undefined;

export interface AddressCheckOptions {
  readonly addressOf: AddressOf;
  readonly count: CountRejection;
}

/** Returns the check of a request's address; it throws a 403 for one that is not allowed. */
export function createAddressCheck(
  { name, allow, deny }: AddressesPolicy,
  { addressOf, count }: AddressCheckOptions,
): NonNullable<RoutePolicies['admit']> {
  const isDenied = createAddressList(deny);
  const isAllowed = allow.length === 0 ? () => true : createAddressList(allow);
  // Searching the list costs about 1 µs, and clients send many requests.
  const recent = new Map<string, boolean>();
  const isAdmitted = (address: string): boolean => {
    let verdict = recent.get(address);
    if (verdict === undefined) {
      verdict = !isDenied(address) && isAllowed(address);
      if (recent.size >= recentMax) recent.clear();
      recent.set(address, verdict);
    }
    return verdict;
  };
  return ({ req }, check) => {
    const address = addressOf(req);
    if (address !== undefined && isAdmitted(address)) return;
    if (check !== 'uncounted') count(name, 'rejected');
    const who = address === undefined ? 'an unknown address' : address;
    throw new Problem('address_denied', `Requests from ${who} are not allowed here.`);
  };
}

const recentMax = 1_000;
