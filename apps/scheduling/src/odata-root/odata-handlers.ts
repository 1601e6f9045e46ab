import type { Context, Handlers, RawReply } from '@rostergate/server';
import type { Account } from '../accounts/account-store.ts';
import { replyCount } from '../operations/count-staff-members.ts';
import { notModified, versionedJson } from '../operations/entity-tags.ts';
import { createListContext } from '../operations/list-context.ts';
import { envelopeOf, envelopeType, reply, type Text, textOf } from '../operations/list-reply.ts';
import { applied, parsePreferences } from '../operations/preferences.ts';
import { readStaffMember } from '../operations/read-staff-member.ts';
import { queryTextOf, scopeOf } from '../operations/request-scope.ts';
import { choosePage } from '../operations/staff-page.ts';
import { parseStaffQuery } from '../staff-query.ts';
import { type VersionedJson, versionTag } from '../store/person-version.ts';
import type { StaffStore } from '../store/staff-store.ts';
import { toODataPeople } from './odata-people.ts';
import { odataVersionFor } from './odata-version.ts';
import { rootUrlFor } from './root-url.ts';

interface ListRequest {
  readonly query: { readonly $skiptoken?: string };
}

interface ReadRequest {
  readonly path: { readonly staff_key: string };
}

/** Returns the handlers of the entity set of people below the OData root. Each reads the company of its account. */
export function createODataHandlers(store: Pick<StaffStore, 'listStaff' | 'readStaff'>, clock: () => number): Handlers {
  const queryOf = (queryText: string) => parseStaffQuery(queryText, { clock });
  return {
    async listODataStaffMembers({ query: { $skiptoken: token } }: ListRequest, context: Context<Account>) {
      const { req, signal } = context;
      const scope = scopeOf(context);
      const queryText = queryTextOf(req);
      const version = odataVersionFor(req.headers);
      const { pageSize } = parsePreferences(req.headers.prefer);
      const request = { queryText, query: queryOf(queryText), scope, token, preferred: { pageSize } };
      const page = choosePage({ ...request, path: 'StaffMembers' });
      const list = await store.listStaff(scope, page.query, { ...page.choice, signal });
      const listContext = rootUrlFor(req) + createListContext(page.query, version);
      const texts = envelopeOf(listContext, peopleOf(list.slices()), { count: list.count, ...page.linksAfter(list) });
      const headers = { Vary: vary, 'OData-Version': version, ...applied(pageSize) };
      return reply(texts, envelopeType, list.size, headers);
    },
    async getODataStaffMember({ path }: ReadRequest, context: Context<Account>): Promise<RawReply> {
      const { req } = context;
      const version = odataVersionFor(req.headers);
      const query = queryOf(queryTextOf(req));
      const { person, isKnown } = await readStaffMember(store, context, path.staff_key, query);
      const personContext = `${rootUrlFor(req)}${createListContext(query, version)}/$entity`;
      const answer = isKnown
        ? notModified(person)
        : versionedJson({ ...person, json: withControl(personContext, person) }, 200, { Vary: vary });
      return { ...answer, contentType: envelopeType, headers: { ...answer.headers, 'OData-Version': version } };
    },
    countODataStaffMembers: (_: unknown, context: Context<Account>) =>
      replyCount(store, context, queryOf(queryTextOf(context.req)), odataVersionFor(context.req.headers)),
  };
}

const vary = 'Authorization, Prefer, OData-MaxVersion, OData-Version';

async function* peopleOf(slices: AsyncIterable<Text>): AsyncGenerator<string> {
  for await (const slice of slices) yield toODataPeople(textOf(slice));
}

/** Returns the JSON of a person with its context and its version (OData JSON format 4.01, sections 4.6.1 and 4.6.8). */
function withControl(context: string, person: VersionedJson): string {
  const control = JSON.stringify({ '@odata.context': context, '@odata.etag': `"${versionTag(person)}"` });
  const members = toODataPeople(person.json).slice(1);
  return `${control.slice(0, -1)}${members === '}' ? '' : ','}${members}`;
}
