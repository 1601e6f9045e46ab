import type { LoginRequest, LoginResponse } from '@rostergate/staff-spec';
import { advance, readToken, stateAt, writeToken } from './change-token.ts';
import { type Page, peopleOf } from './count-of.ts';
import type { ApiProblem } from './gen/api-problem.gen.ts';
import { calls, createStaffOperations } from './gen/client.gen.ts';
import { rememberEtag } from './gen/etag-of.gen.ts';
import { readProblem } from './gen/read-problem.gen.ts';
import {
  type Call,
  type CallRequest,
  type Credential,
  createTransport,
  type Send,
  type TransportOptions,
} from './gen/transport.gen.ts';
import { createLinkReader } from './next-query.ts';
import { createSession } from './session.ts';
import type { ListOptions, StaffClient } from './staff-client.ts';
import { staffFilter } from './staff-filter.ts';
import type { StaffField } from './staff-member.ts';
import { writeExpand } from './write-expand.ts';

/** An account for logins: once for concurrent calls, and again before its token expires or after it is rejected. */
export interface LoginCredential {
  /** E-mail address and password of an account; at the proxy, the name of a key and the key. */
  readonly login: LoginRequest;
  readonly key?: never;
  readonly token?: never;
}

/** Address of the server, and the credential: a key of the proxy, or a login or token of the scheduling API. */
export type StaffClientOptions = TransportOptions &
  (LoginCredential | (Credential & { readonly login?: undefined })) & {
    /** Default company of calls. */
    readonly companyKey?: string | undefined;
  };

/** Options of a client whose calls need not name a company: its key belongs to one, or it has a default. */
export type CompanyClientOptions = StaffClientOptions & ({ readonly key: string } | { readonly companyKey: string });

/**
 * Returns a client of the Staff Member API. Nothing is sent until a method is called.
 *
 * Without a `key` or a `companyKey`, calls about a company must name it: `query: { companyKey }`.
 */
export function createStaffClient(options: CompanyClientOptions): StaffClient<'optional'>;
export function createStaffClient(options: StaffClientOptions): StaffClient<'required'>;
export function createStaffClient(given: StaffClientOptions): unknown {
  // The paths of the contract begin with /v2.
  const options = { ...given, baseUrl: given.baseUrl.replace(/\/*(?:\/v2\/*)?$/, '') };
  const { login, companyKey } = options;
  const logIn = () => transport<LoginResponse>(calls.login, { body: login });
  const transport: Send = createTransport(login ? { ...options, token: createSession(logIn) } : options);
  const [listPath] = calls.listStaffMembers;

  const send = <Result>(call: Call, request: StaffRequest = {}): Promise<Result> => {
    const { filter, expand, select, orderby, includes, top, skip, count } = request;
    // The link to a next page has the whole query.
    if (typeof request.query === 'string') return transport(call, request);
    const query: Readonly<Record<string, unknown>> = {
      ...(call[0] === listPath && !call[1] && { companyKey }),
      ...request.query,
    };
    const all = {
      ...query,
      $filter: filter ? `${staffFilter(filter)}` : query.$filter,
      $expand: expand ? writeExpand(expand) : query.$expand,
      $select: select ?? query.$select,
      $orderby: orderby ?? query.$orderby,
      $top: top ?? query.$top,
      $skip: skip ?? query.$skip,
      $count: count ?? query.$count,
      includes: includes ?? query.includes,
    };
    return transport(call, { ...request, query: all });
  };

  const readCollection =
    (name: 'Tags' | 'Skillset') =>
    async (staffKey: string, request: object): Promise<unknown> => {
      const [person] = await send<Readonly<Record<string, unknown>>[]>(calls.listStaffMembers, {
        ...request,
        filter: (person) => person.StaffKey.eq(staffKey),
        select: ['StaffKey'],
        expand: [name],
      });
      if (person) return person[name];
      const given = { code: 'not_found', detail: 'No person has this StaffKey.' };
      throw readProblem(new Response(null, { status: 404 }), undefined, given);
    };

  async function* readLinkedPages({ pageSize = 100, link, ...request }: PageRequest = {}): AsyncGenerator<LinkedPage> {
    const call: Call = [listPath, undefined, false, envelope];
    const headers = { ...request.headers, Prefer: `maxpagesize=${pageSize}` };
    const queryOf = createLinkReader(options.baseUrl + listPath);
    for (let query = link ? queryOf(link) : request.query; ; ) {
      const page = await send<Page>(call, { ...request, query, headers });
      const next = page['@odata.nextLink'];
      yield { people: peopleOf(page), link: next };
      if (!next) return;
      query = queryOf(next);
    }
  }

  async function* readPages(request?: PageRequest): AsyncGenerator<readonly unknown[]> {
    for await (const { people } of readLinkedPages(request)) yield people;
  }

  async function* readChanges({
    since = '1970-01-01',
    select,
    ...request
  }: ChangesOptions = {}): AsyncGenerator<object> {
    let state = readToken(since);
    const common = {
      ...request,
      select: select && [...new Set<StaffField>([...select, 'StaffKey', 'LastModifiedDateUtc'])],
      query: { ...(request.query as object), sinceModifiedTimestamp: state.since },
    };
    for (let token = since, resumed = state.link; ; resumed = undefined) {
      try {
        let isRepeated = false;
        for await (const { people, link } of readLinkedPages({ ...common, link: resumed })) {
          resumed = undefined;
          const page = advance(state, people, link);
          ({ state, isRepeated } = page);
          const before = token;
          token = writeToken(state);
          if (page.changed.length || token !== before) yield { people: page.changed, token };
        }
        if (!isRepeated) return;
      } catch (error) {
        // Another version of the server may reject its link: the round begins again.
        if (!resumed || (error as Partial<ApiProblem>).status !== 400) throw error;
        state = stateAt(state.since, state.known);
      }
    }
  }

  return {
    ...createStaffOperations(send),
    listStaffMembers: async (request?: StaffRequest) => {
      let last: Response | undefined;
      const page = await send<Page | undefined>(calls.listStaffMembers, {
        ...request,
        onResponse(response) {
          last = response;
          request?.onResponse?.(response);
        },
      });
      return page && rememberEtag(peopleOf(page), last as Response);
    },
    upsert: async (request: CallRequest) => {
      let status: number | undefined;
      const person = await send(calls.createStaffMember, {
        ...request,
        body: { ...(request.body as object), UpdateIfExisting: true },
        onResponse(response) {
          status = response.status;
          request.onResponse?.(response);
        },
      });
      return { outcome: status === 201 ? 'created' : 'updated', person };
    },
    changes: readChanges,
    staffTags: readCollection('Tags'),
    staffSkillset: readCollection('Skillset'),
    pages: readPages,
    async *people(request: PageRequest) {
      for await (const people of readPages(request)) yield* people;
    },
  };
}

/** The request of any method. */
type StaffRequest = CallRequest & ListOptions;
type PageRequest = StaffRequest & { readonly pageSize?: number; readonly link?: string | undefined };
type ChangesOptions = Omit<PageRequest, 'link'> & { readonly since?: string | undefined };

interface LinkedPage {
  readonly people: readonly object[];
  readonly link: string | undefined;
}

const envelope = 'application/json;odata.metadata=minimal';
