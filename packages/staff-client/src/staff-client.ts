import type { operations, RequestLimit, StaffSkillset, StaffTag } from '@rostergate/staff-spec';
import type { StaffOperations } from './gen/client.gen.ts';
import type { CallOptions } from './gen/transport.gen.ts';
import type { StaffFilter } from './staff-filter.ts';
import type {
  IfListed,
  NestedExpand,
  NestedOptions,
  StaffExpand,
  StaffField,
  StaffMember,
  StaffOrder,
} from './staff-member.ts';

/** Whether calls about a company must name it: not with a key or a default company. */
export type CompanyNeed = 'required' | 'optional';

/** A collection that a list can include. */
export type ListInclude = NonNullable<ListParameters['includes']>[number];

/** A collection that a single read can include. */
export type ReadInclude = NonNullable<ReadParameters['includes']>[number];

/** A part that a list of request limits can include. */
export type RequestLimitInclude = 'ShiftsCredit' | 'StaffLimits';

/** A request limit as returned by a call: its parts are null unless included. */
export type RequestLimitOf<Includes extends readonly string[] | undefined> = Omit<
  RequestLimit,
  'ShiftCredits' | 'StaffLimits'
> & {
  ShiftCredits: IfListed<'ShiftsCredit', Includes, NonNullable<RequestLimit['ShiftCredits']>>;
  StaffLimits: IfListed<'StaffLimits', Includes, NonNullable<RequestLimit['StaffLimits']>>;
};

/** Typed options of a read of people. Each replaces its text in `query`. */
export interface StaffReadOptions extends CallOptions {
  /** Condition for people: `(s) => s.LastName.startsWith('A').and(s.Fte.ge(0.5))`. */
  readonly filter?: StaffFilter | undefined;
  /** Collections to return with each person, by name or with options; the others are null. */
  readonly expand?: StaffExpand | undefined;
  /** Fields to return, besides the requested collections. */
  readonly select?: readonly StaffField[] | undefined;
  /** Fields to order by: `['LastName', 'Fte desc']`. */
  readonly orderby?: readonly StaffOrder[] | undefined;
}

/** Typed options of a list of people. Each replaces its value in `query`. */
export interface ListOptions extends StaffReadOptions {
  /** Collections to include that `expand` does not take. */
  readonly includes?: readonly ListInclude[] | undefined;
  /** Maximum number of people. */
  readonly top?: number | undefined;
  /** Number of people to skip. */
  readonly skip?: number | undefined;
  /** Whether to count the people who match, for `countOf(people)`. */
  readonly count?: boolean | undefined;
}

/** The option of a read that may return undefined. */
export interface Conditional {
  /** An ETag of `etagOf(…)`: the call returns undefined while the response is unchanged. */
  readonly ifNoneMatch?: string | undefined;
}

/** The query of a call about a company, with the company unless the client has one. */
export type OfCompany<Need extends CompanyNeed, Query = unknown> = Need extends 'required'
  ? { readonly query: Query & { readonly companyKey: string } }
  : { readonly query?: Query & { readonly companyKey?: string | undefined } };

/** The request for a list of people; `query` has the parameters of the contract. */
export type ListRequest<Need extends CompanyNeed> = ListOptions &
  Conditional &
  OfCompany<Need, Omit<ListParameters, Own | '$deltatoken'> & RawParameters<ListInclude>>;

/** The request for pages of a list of people. */
export type PagesRequest<Need extends CompanyNeed> = Omit<ListRequest<Need>, 'ifNoneMatch'> & {
  /** Maximum number of people of a page. Default 100. */
  readonly pageSize?: number;
};

/**
 * The request for changes. There is no filter: the server would leave out people who no longer match, and the copy would
 * keep them.
 */
export type ChangesRequest<Need extends CompanyNeed> = Omit<StaffReadOptions, 'filter' | 'orderby'> &
  Pick<ListOptions, 'includes'> &
  OfCompany<Need, Pick<RawParameters<ListInclude>, 'includes' | '$expand'>> & {
    /** The `token` of the last stored page, or a time such as `2026-01-31T09:30:00Z`. Default: everybody. */
    readonly since?: string | undefined;
    /** Maximum number of people of a page. Default 100. */
    readonly pageSize?: number;
  };

/** A page of changes. */
export interface StaffChanges<Person = StaffMember> {
  /** People who are new or have changed, including those with `IsActive: false`. */
  readonly people: readonly Person[];
  /** Continues after this page, as `since`. Store it together with the people. */
  readonly token: string;
}

/** The request to create or update the person with a StaffId. */
export interface UpsertRequest extends CallOptions {
  readonly body: Omit<Parameters<StaffOperations['createStaffMember']>[0]['body'], 'UpdateIfExisting'>;
  /** An ETag of `etagOf(…)`: an existing person is updated only in this version. */
  readonly ifMatch?: string | undefined;
}

/** The person after an upsert, and whether the person is new. */
export interface UpsertResult {
  readonly outcome: 'created' | 'updated';
  readonly person: StaffMember;
}

/** The request for one person; `query` has the parameters of the contract. */
export interface ReadRequest extends StaffReadOptions, Conditional {
  readonly path: { readonly staff_key: string };
  readonly query?: Omit<ReadParameters, Own> & RawParameters<ReadInclude>;
  /** Collections to include that `expand` does not take. */
  readonly includes?: readonly ReadInclude[] | undefined;
}

/** The request for a list of request limits. */
export interface RequestLimitsRequest extends CallOptions, Conditional {
  readonly path: { readonly staff_key: string };
  readonly query?: { readonly includes?: readonly RequestLimitInclude[] | undefined };
  /** Parts to include; replaces `includes` of `query`. */
  readonly includes?: readonly RequestLimitInclude[] | undefined;
}

type ListParameters = NonNullable<operations['listStaffMembers']['parameters']['query']>;
type ReadParameters = NonNullable<operations['getStaffMember']['parameters']['query']>;
type Own = 'companyKey' | 'includes' | '$expand' | '$select';

interface RawParameters<Include> {
  /** Collections to include, with the same effect as `expand`. */
  readonly includes?: readonly Include[] | undefined;
  readonly $expand?: string | undefined;
  readonly $select?: string | undefined;
}

/** The last parameter of a method, optional if nothing in it is required. */
type Last<Need extends CompanyNeed, Request> = Need extends 'required' ? [request: Request] : [request?: Request];

/** No parameter, if nothing in a request is required. */
type Nothing<Need extends CompanyNeed> = Need extends 'required' ? [request: never] : [];

/** A request with only names, and query names, that the method knows. */
type Exactly<Request, Allowed> = Allowed & {
  readonly [Name in keyof Request]: Name extends keyof Allowed
    ? Name extends 'query'
      ? Known<Request[Name], NonNullable<Allowed[Name]>>
      : Name extends 'expand'
        ? KnownExpand<Request[Name]>
        : unknown
    : never;
};
type KnownExpand<Expand> = Expand extends readonly unknown[] | undefined
  ? unknown
  : {
      readonly [Name in keyof Expand]: Name extends keyof NestedExpand
        ? Known<Expand[Name], NestedOptions<never>>
        : never;
    };
type Known<Request, Allowed> = { readonly [Name in keyof Request]: Name extends keyof Allowed ? unknown : never };

/** The type of a member of a request; includes undefined if it may be absent. */
type Given<Request, Name extends PropertyKey> = Request extends unknown
  ? Name extends keyof Request
    ? Request[Name] | (Record<never, never> extends Pick<Request, Name> ? undefined : never)
    : undefined
  : never;

/** Operations that return the changed person, with null collections. */
type PersonWrites = Answering<Pick<StaffOperations, 'createStaffMember' | 'updateStaffMember' | 'setStaffManager'>>;
type Answering<Operations extends { [Name in keyof Operations]: (request: never) => unknown }> = {
  [Name in keyof Operations]: (request: Parameters<Operations[Name]>[0]) => Promise<StaffMember>;
};

/** Reads of parts of one person. */
type PartReads = Conditioned<
  Pick<StaffOperations, 'listStaffLocations' | 'listStaffProfiles' | 'listPayModifiers' | 'listBadgeIds'>
>;
type Conditioned<Operations extends { [Name in keyof Operations]: (request: never) => Promise<unknown> }> = {
  [Name in keyof Operations]: <const Request extends Exactly<Request, Parameters<Operations[Name]>[0] & Conditional>>(
    request: Request,
  ) => Promise<Awaited<ReturnType<Operations[Name]>> | Unchanged<Request>>;
};
type Unchanged<Request> = Given<Request, 'ifNoneMatch'> extends undefined ? never : undefined;

/**
 * One method for each operation of the contract, by operationId, and reads that use several of them. Each throws an
 * `ApiProblem` for an error response.
 */
export interface StaffClient<Need extends CompanyNeed = CompanyNeed>
  extends Omit<
      StaffOperations,
      keyof PersonWrites | keyof PartReads | 'listStaffMembers' | 'getStaffMember' | 'listRequestLimits'
    >,
    PersonWrites,
    PartReads {
  /**
   * Lists the people of a company, with the requested fields and collections. `GET /v2/staffmember`
   *
   * With `count: true`, `countOf(people)` returns the number of matches, regardless of `top` and `skip`.
   */
  listStaffMembers(...nothing: Nothing<Need>): Promise<StaffMember[]>;
  listStaffMembers<const Request extends Exactly<Request, ListRequest<Need>>>(
    request: Request,
  ): Promise<StaffMember<ShapeOf<Request>>[] | Unchanged<Request>>;

  /** Reads one person, with the requested fields and collections. `GET /v2/staffmember/{staff_key}` */
  getStaffMember<const Request extends Exactly<Request, ReadRequest>>(
    request: Request,
  ): Promise<StaffMember<ShapeOf<Request>> | Unchanged<Request>>;

  /**
   * Lists the limits on a person's requests, with the included parts.
   * `GET /v2/staffmember/{staff_key}/requestlimit`
   */
  listRequestLimits<const Request extends Exactly<Request, RequestLimitsRequest>>(
    request: Request,
  ): Promise<RequestLimitOf<IncludesOf<Request>>[] | Unchanged<Request>>;

  /**
   * Lists people page by page: `for await (const people of client.pages({ pageSize: 500 }))`. A page has at most
   * `pageSize` people, 100 by default; a server without paging returns all in one page.
   * A link to another origin, or back to a page, throws an `ApiProblem` with the code `answer_unreadable`.
   */
  pages(...nothing: Nothing<Need>): AsyncGenerator<StaffMember[], void, undefined>;
  pages<const Request extends Exactly<Request, PagesRequest<Need>>>(
    request: Request,
  ): AsyncGenerator<StaffMember<ShapeOf<Request>>[], void, undefined>;

  /** Iterates over everybody: `for await (const person of client.people())`. Reads the next page when it is needed. */
  people(...nothing: Nothing<Need>): AsyncGenerator<StaffMember, void, undefined>;
  people<const Request extends Exactly<Request, PagesRequest<Need>>>(
    request: Request,
  ): AsyncGenerator<StaffMember<ShapeOf<Request>>, void, undefined>;

  /**
   * Reads one round of changes, page by page: `for await (const { people, token } of client.changes({ since }))`. It
   * contains the changes that the server has when the round begins. Call it again, with the last token, for later ones,
   * also after a call that continued an interrupted round. A process that stops and continues with its stored token misses
   * nothing and receives nobody twice in a round. A selection always includes `StaffKey` and `LastModifiedDateUtc`.
   *
   * Throws a `RangeError` when `since` is neither a token nor a time.
   */
  changes(...nothing: Nothing<Need>): AsyncGenerator<StaffChanges, void, undefined>;
  changes<const Request extends Exactly<Request, ChangesRequest<Need>>>(
    request: Request,
  ): AsyncGenerator<StaffChanges<StaffMember<ShapeOf<Request>> & Versioned>, void, undefined>;

  /**
   * Creates the person with a StaffId, or updates the existing one with the members sent. `POST /v2/staffmember` with
   * `UpdateIfExisting`
   */
  upsert(request: UpsertRequest): Promise<UpsertResult>;

  /** Returns the tags of a person by category. Throws a `NotFoundError` for a person outside the company. */
  staffTags(staffKey: string, ...options: Last<Need, CallOptions & OfCompany<Need>>): Promise<StaffTag[]>;

  /** Returns the skills of a person. Throws a `NotFoundError` for a person outside the company. */
  staffSkillset(staffKey: string, ...options: Last<Need, CallOptions & OfCompany<Need>>): Promise<StaffSkillset[]>;
}

type Versioned = Pick<StaffMember, 'StaffKey' | 'LastModifiedDateUtc'>;

type Listed<Request, Name extends PropertyKey> = Extract<Given<Request, Name>, readonly string[] | undefined>;
type Written<Request, Name extends PropertyKey> = Extract<Given<Request, Name>, string | undefined>;

/** The option `includes`, or else that of `query`. */
type IncludesOf<Request> =
  | Exclude<Listed<Request, 'includes'>, undefined>
  | (undefined extends Given<Request, 'includes'> ? Listed<Given<Request, 'query'>, 'includes'> : never);

interface ShapeOf<Request> {
  readonly expand: Extract<Given<Request, 'expand'>, StaffExpand | undefined>;
  readonly select: Listed<Request, 'select'>;
  readonly includes: IncludesOf<Request>;
  readonly rawExpand: Written<Given<Request, 'query'>, '$expand'>;
  readonly rawSelect: Written<Given<Request, 'query'>, '$select'>;
}
