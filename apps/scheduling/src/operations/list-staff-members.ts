import { Readable } from 'node:stream';
import type { RawReply } from '@rostergate/runtime/contract';
import { Problem } from '@rostergate/runtime/problem';
import type { StaffHandlers } from '@rostergate/staff-server';
import type { Account } from '../accounts/account.ts';
import { parseStaffQuery } from '../staff-query.ts';
import type { StaffList, StaffStore } from '../store/staff-store.ts';
import { queryTextOf } from './query-text.ts';
import { scopeOf } from './scopes.ts';

const envelopeType = 'application/json;odata.metadata=minimal';

/** `GET /staffmember`: a bare array, or the OData envelope for who asks for it; long ones slice by slice. */
export function createListStaffMembers(
  store: Pick<StaffStore, 'listStaff'>,
  clock: () => number,
): StaffHandlers<Account>['listStaffMembers'] {
  return async ({ query }, context) => {
    const scope = scopeOf(context);
    if (query.companyKey !== scope.companyKey) {
      throw new Problem('company_forbidden', 'Send the companyKey of the company that your account belongs to.');
    }
    const { includes, sinceModifiedTimestamp } = query;
    const asked = parseStaffQuery(queryTextOf(context.req), { includes, sinceModifiedTimestamp, clock });
    const list = await store.listStaff(scope, asked);
    return wantsEnvelope(context.req.headers.accept) || list.count !== undefined
      ? reply(envelopeOf(list), envelopeType, list.size)
      : reply(arrayOf(list.slices()), 'application/json', list.size);
  };
}

function wantsEnvelope(accept = ''): boolean {
  return /application\/json\s*;[^,]*odata\.metadata=minimal/i.test(accept);
}

/** Lists up to this long go out whole: a stream costs more than it saves. */
const wholeMax = 100;

async function reply(texts: AsyncIterable<string>, contentType: string, size: number): Promise<RawReply> {
  if (size > wholeMax) return { status: 200, raw: Readable.from(texts, { objectMode: false }), contentType };
  let raw = '';
  for await (const text of texts) raw += text;
  return { status: 200, raw, contentType };
}

async function* envelopeOf(list: StaffList): AsyncIterable<string> {
  yield `{"@odata.context":"$metadata#StaffMembers"${list.count === undefined ? '' : `,"@odata.count":${list.count}`},"value":`;
  yield* arrayOf(list.slices());
  yield '}';
}

async function* arrayOf(slices: AsyncIterable<string>): AsyncIterable<string> {
  let before = '[';
  for await (const slice of slices) {
    if (slice === '') continue;
    yield before + slice;
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}
