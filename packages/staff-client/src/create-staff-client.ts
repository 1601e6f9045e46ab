import type { LoginRequest, LoginResponse } from '@rostergate/staff-spec';
import { calls, createStaffOperations } from './gen/client.gen.ts';
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
import type { StaffClient, StaffReadOptions } from './staff-client.ts';
import { staffFilter } from './staff-filter.ts';

/** An account that the client logs in to: once however many calls wait, and anew before its token ends or is refused. */
export interface LoginCredential {
  /** E-mail address and password of an account; at the proxy, name of a key and the key. */
  readonly login: LoginRequest;
  readonly key?: never;
  readonly token?: never;
}

/** Where the server is, and what the client shows it: a key of the proxy, or a login or token of the scheduling API. */
export type StaffClientOptions = TransportOptions &
  (LoginCredential | (Credential & { readonly login?: undefined })) & {
    /** Company of all calls that name no other. */
    readonly companyKey?: string | undefined;
  };

/** Options of a client whose calls need not name a company: its key stands for one, or it remembers one. */
export type CompanyClientOptions = StaffClientOptions & ({ readonly key: string } | { readonly companyKey: string });

/**
 * Builds a client of the Staff Member API. Nothing is sent until a method is called.
 *
 * Without a `key` or a `companyKey`, calls about a company name it: `query: { companyKey }`.
 */
export function createStaffClient(options: CompanyClientOptions): StaffClient<'optional'>;
export function createStaffClient(options: StaffClientOptions): StaffClient<'required'>;
export function createStaffClient(options: StaffClientOptions): unknown {
  const { login, companyKey } = options;
  const logIn = () => transport<LoginResponse>(calls.login, { body: login });
  const transport: Send = createTransport(login ? { ...options, token: createSession(logIn) } : options);
  const [listPath] = calls.listStaffMembers;

  const send = <Result>(call: Call, request: StaffRequest = {}): Promise<Result> => {
    const { filter, expand, select, orderby } = request;
    // The link to a next page is whole.
    if (typeof request.query === 'string') return transport(call, request);
    const query: Readonly<Record<string, unknown>> = {
      ...(call[0] === listPath && !call[1] && { companyKey }),
      ...request.query,
    };
    const all = {
      ...query,
      $filter: filter ? `${staffFilter(filter)}` : query.$filter,
      $expand: expand ?? query.$expand,
      $select: select ?? query.$select,
      $orderby: orderby ?? query.$orderby,
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
      const given = { code: 'not_found', detail: 'Nobody has this StaffKey.' };
      throw readProblem(new Response(null, { status: 404 }), undefined, given);
    };

  return {
    ...createStaffOperations(send),
    staffTags: readCollection('Tags'),
    staffSkillset: readCollection('Skillset'),

    async *pages({ pageSize = 100, ...request }: StaffRequest & { readonly pageSize?: number } = {}) {
      const call: Call = [listPath, undefined, false, envelope];
      const headers = { ...request.headers, Prefer: `maxpagesize=${pageSize}` };
      const queryOf = createLinkReader(options.baseUrl.replace(/\/$/, '') + listPath);
      for (let { query } = request; ; ) {
        const page = await send<Page>(call, { ...request, query, headers });
        yield page.value ?? page;
        const link = page['@odata.nextLink'];
        if (!link) return;
        query = queryOf(link);
      }
    },
  };
}

/** What any method takes, whatever its operation. */
type StaffRequest = CallRequest & StaffReadOptions;

interface Page {
  readonly value?: readonly unknown[];
  /** Relative to the list's address, or whole. */
  readonly '@odata.nextLink'?: string;
}

const envelope = 'application/json;odata.metadata=minimal';
