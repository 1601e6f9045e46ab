import type { operations, RequestLimit, StaffSkillset, StaffTag } from '@rostergate/staff-spec';
import type { StaffOperations } from './gen/client.gen.ts';
import type { CallOptions } from './gen/transport.gen.ts';
import type { StaffFilter } from './staff-filter.ts';
import type {
  IfListed,
  StaffExpansion,
  StaffField,
  StaffMember,
  StaffMemberEnvelope,
  StaffOrder,
} from './staff-member.ts';

/** Whether calls about a company have to name it: not with a key, and not where the client remembers one. */
export type CompanyNeed = 'required' | 'optional';

/** What a list can include. */
export type ListInclude = NonNullable<ListParameters['includes']>[number];

/** What a single read can include. */
export type ReadInclude = NonNullable<ReadParameters['includes']>[number];

/** What a list of request limits can include. */
export type RequestLimitInclude = 'ShiftsCredit' | 'StaffLimits';

/** A request limit as a call gets it: its parts are null unless they are included. */
export type RequestLimitOf<Includes extends readonly string[] | undefined> = Omit<
  RequestLimit,
  'ShiftCredits' | 'StaffLimits'
> & {
  ShiftCredits: IfListed<'ShiftsCredit', Includes, NonNullable<RequestLimit['ShiftCredits']>>;
  StaffLimits: IfListed<'StaffLimits', Includes, NonNullable<RequestLimit['StaffLimits']>>;
};

/** What a read of people takes, typed. Each goes in place of its text in `query`. */
export interface StaffReadOptions extends CallOptions {
  /** Condition that a person has to meet: `(s) => s.LastName.startsWith('A').and(s.Fte.ge(0.5))`. */
  readonly filter?: StaffFilter | undefined;
  /** Collections to return with each person; all others are null. */
  readonly expand?: readonly StaffExpansion[] | undefined;
  /** The only fields to return, besides the collections asked for. */
  readonly select?: readonly StaffField[] | undefined;
  /** Fields to order by, the first one first: `['LastName', 'Fte desc']`. */
  readonly orderby?: readonly StaffOrder[] | undefined;
}

/** What a call about a company names besides: the company, unless the client knows it. */
export type OfCompany<Need extends CompanyNeed, Query = unknown> = Need extends 'required'
  ? { readonly query: Query & { readonly companyKey: string } }
  : { readonly query?: Query & { readonly companyKey?: string | undefined } };

/** What a list of people takes; `query` has the contract's own parameters. */
export type ListRequest<Need extends CompanyNeed> = StaffReadOptions &
  OfCompany<Need, Omit<ListParameters, Own> & RawParameters<ListInclude> & { readonly $count?: boolean | undefined }>;

/** What a list of people part by part takes. */
export type PagesRequest<Need extends CompanyNeed> = StaffReadOptions &
  OfCompany<Need, Omit<ListParameters, Own> & RawParameters<ListInclude> & { readonly $count?: false | undefined }> & {
    readonly pageSize?: number;
  };

/** What a read of one person takes; `query` has the contract's own parameters. */
export interface ReadRequest extends StaffReadOptions {
  readonly path: { readonly staff_key: string };
  readonly query?: Omit<ReadParameters, Own> & RawParameters<ReadInclude>;
  /** An ETag of `etagOf(…)`: the answer is undefined while the person is still as it was. */
  readonly ifNoneMatch?: string | undefined;
}

/** What a list of request limits takes. */
export interface RequestLimitsRequest extends CallOptions {
  readonly path: { readonly staff_key: string };
  readonly query?: { readonly includes?: readonly RequestLimitInclude[] | undefined };
}

type ListParameters = NonNullable<operations['listStaffMembers']['parameters']['query']>;
type ReadParameters = NonNullable<operations['getStaffMember']['parameters']['query']>;
type Own = 'companyKey' | 'includes' | '$expand' | '$select' | '$count';

interface RawParameters<Include> {
  /** Collections to include, with the same effect as `expand`. */
  readonly includes?: readonly Include[] | undefined;
  readonly $expand?: string | undefined;
  readonly $select?: string | undefined;
}

/** The last parameter of a method, which may be left out where nothing in it is needed. */
type Last<Need extends CompanyNeed, Request> = Need extends 'required' ? [request: Request] : [request?: Request];

/** No parameter, which is enough where nothing in a request is needed. */
type Nothing<Need extends CompanyNeed> = Need extends 'required' ? [request: never] : [];

/** A request in which each name, and each name of its query, is one that the method takes. */
type Exactly<Request, Allowed> = Allowed & {
  readonly [Name in keyof Request]: Name extends keyof Allowed
    ? Name extends 'query'
      ? Known<Request[Name], NonNullable<Allowed[Name]>>
      : unknown
    : never;
};
type Known<Request, Allowed> = { readonly [Name in keyof Request]: Name extends keyof Allowed ? unknown : never };

/** What a request has under a name: also undefined, where it or one of several has nothing there. */
type Given<Request, Name extends PropertyKey> = Request extends unknown
  ? Name extends keyof Request
    ? Request[Name] | (Record<never, never> extends Pick<Request, Name> ? undefined : never)
    : undefined
  : never;

/** Operations that answer with the person as changed, its collections null. */
type PersonWrites = Answering<Pick<StaffOperations, 'createStaffMember' | 'updateStaffMember' | 'setStaffManager'>>;
type Answering<Operations extends { [Name in keyof Operations]: (request: never) => unknown }> = {
  [Name in keyof Operations]: (request: Parameters<Operations[Name]>[0]) => Promise<StaffMember>;
};

/**
 * One method for each operation of the contract, by operationId, and reads that take more than one of them. Each throws
 * an `ApiProblem` for an error answer.
 */
export interface StaffClient<Need extends CompanyNeed = CompanyNeed>
  extends Omit<StaffOperations, keyof PersonWrites | 'listStaffMembers' | 'getStaffMember' | 'listRequestLimits'>,
    PersonWrites {
  /**
   * Lists the people of a company, with the fields and collections asked for. `GET /v2/staffmember`
   *
   * With `query: { $count: true }` it gives an envelope that says how many match, whatever `$top` and `$skip` say.
   */
  listStaffMembers(...nothing: Nothing<Need>): Promise<StaffMember[]>;
  listStaffMembers<const Request extends Exactly<Request, ListRequest<Need>>>(
    request: Request,
  ): Promise<
    | (true extends CountOf<Request> ? StaffMemberEnvelope<ShapeOf<Request>> : never)
    | (CountOf<Request> extends true ? never : StaffMember<ShapeOf<Request>>[])
  >;

  /** Reads one person, with the fields and collections asked for. `GET /v2/staffmember/{staff_key}` */
  getStaffMember<const Request extends Exactly<Request, ReadRequest>>(
    request: Request,
  ): Promise<StaffMember<ShapeOf<Request>> | (Given<Request, 'ifNoneMatch'> extends undefined ? never : undefined)>;

  /**
   * Lists the limits on a person's requests, with the parts that are included.
   * `GET /v2/staffmember/{staff_key}/requestlimit`
   */
  listRequestLimits<const Request extends Exactly<Request, RequestLimitsRequest>>(
    request: Request,
  ): Promise<RequestLimitOf<Listed<Given<Request, 'query'>, 'includes'>>[]>;

  /**
   * Lists people part by part: `for await (const people of client.pages({ pageSize: 500 }))`. A part has at most
   * `pageSize` people, by default 100; a server that does not page gives all of them in one.
   * A link to another origin, or back to a page, is an `ApiProblem` with the code `answer_unreadable`.
   */
  pages(...nothing: Nothing<Need>): AsyncGenerator<StaffMember[], void, undefined>;
  pages<const Request extends Exactly<Request, PagesRequest<Need>>>(
    request: Request,
  ): AsyncGenerator<StaffMember<ShapeOf<Request>>[], void, undefined>;

  /** The tags of a person by category: of one in the company, else it throws a `NotFoundError`. */
  staffTags(staffKey: string, ...options: Last<Need, CallOptions & OfCompany<Need>>): Promise<StaffTag[]>;

  /** The tasks that a person is skilled for: of one in the company, else it throws a `NotFoundError`. */
  staffSkillset(staffKey: string, ...options: Last<Need, CallOptions & OfCompany<Need>>): Promise<StaffSkillset[]>;
}

type CountOf<Request> = Given<Given<Request, 'query'>, '$count'>;
type Listed<Request, Name extends PropertyKey> = Extract<Given<Request, Name>, readonly string[] | undefined>;
type Written<Request, Name extends PropertyKey> = Extract<Given<Request, Name>, string | undefined>;

interface ShapeOf<Request> {
  readonly expand: Listed<Request, 'expand'>;
  readonly select: Listed<Request, 'select'>;
  readonly includes: Listed<Given<Request, 'query'>, 'includes'>;
  readonly rawExpand: Written<Given<Request, 'query'>, '$expand'>;
  readonly rawSelect: Written<Given<Request, 'query'>, '$select'>;
}
