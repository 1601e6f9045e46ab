import { Problem } from '@rostergate/server/problem';
import { discard } from '@rostergate/upstream';
import type { StaffCall } from '../staff-call.ts';
import type { Exchange } from '../upstream/staff-upstream.ts';
import type { OperationForm } from './operation-forms.ts';
import { isSameKey, type Members, membersOf, readPerson } from './vendor-calls.ts';

/**
 * Returns the call with identifiers that the vendor takes. The vendor accepts any identifier of a person in place of the
 * key, and a manager only by StaffId. A key without the form of a GUID is looked up first, so that an e-mail address or a
 * number is 404; so is a person that a change without a company could reach in another company of the account.
 */
export async function identify(
  call: StaffCall,
  { isWithoutCompany }: OperationForm,
  exchange: Exchange,
): Promise<StaffCall | 'token_rejected'> {
  const { staff_key } = call.path;
  if (staff_key !== undefined && (isWithoutCompany || !isGuid(staff_key))) {
    const known = await lookUp(staff_key, call, exchange);
    if (known === 'token_rejected') return known;
    if (known === undefined) throw unknownPerson(staff_key);
  }
  const { ManagerKey } = membersOf(call.body);
  if (call.operation.operationId !== 'setStaffManager' || typeof ManagerKey !== 'string') return call;
  const manager = await lookUp(ManagerKey, call, exchange);
  if (manager === 'token_rejected') return manager;
  if (manager === undefined) {
    const detail = 'Your company has no person with this key.';
    throw new Problem('validation_failed', detail, { errors: [{ detail, pointer: '/ManagerKey' }] });
  }
  return { ...call, body: { ManagerId: manager.StaffId } };
}

async function lookUp(
  staff_key: string,
  call: StaffCall,
  exchange: Exchange,
): Promise<Members | undefined | 'token_rejected'> {
  const response = await exchange.ask(readPerson({ ...call, path: { staff_key } }));
  if (response === 'token_rejected') return response;
  if (response.status === 404) return void discard(response);
  const found = membersOf(await exchange.read(response));
  return isSameKey(found.StaffKey, staff_key) ? found : undefined;
}

/** Returns the vendor's response if it is the person of the call: a GUID may be another identifier of another person. */
export function ofThisPerson(value: unknown, { path: { staff_key = '' } }: StaffCall): Members {
  if (value === null) throw unknownPerson(staff_key);
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new Problem('upstream_failed', 'The upstream answered 200 with a body that is not a person.');
  }
  const { StaffKey } = membersOf(value);
  if (StaffKey !== undefined && !isSameKey(StaffKey, staff_key)) throw unknownPerson(staff_key);
  return membersOf(value);
}

function isGuid(key: string): boolean {
  return /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(key);
}

function unknownPerson(key: string): Problem {
  return new Problem('not_found', `There is no person with the key ${JSON.stringify(key)}. Check the key.`);
}
