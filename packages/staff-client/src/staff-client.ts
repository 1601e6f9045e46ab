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
export interface StaffReadOptions<Expand, Select> extends CallOptions {
  /** Condition that a person has to meet: `(s) => s.LastName.startsWith('A').and(s.Fte.ge(0.5))`. */
  readonly filter?: StaffFilter | undefined;
  /** Collections to return with each person; all others are null. */
  readonly expand?: Expand;
  /** The only fields to return, besides the collections asked for. */
  readonly select?: Select;
  /** Fields to order by, the first one first: `['LastName', 'Fte desc']`. */
  readonly orderby?: readonly StaffOrder[] | undefined;
}

/** What a call about a company names besides: the company, unless the client knows it. */
export type OfCompany<Need extends CompanyNeed, Query = unknown> = Need extends 'required'
  ? { readonly query: Query & { readonly companyKey: string } }
  : { readonly query?: Query & { readonly companyKey?: string | undefined } };

/** What a list of people takes; `query` has the contract's own parameters. */
export type ListRequest<
  Need extends CompanyNeed,
  Expand,
  Select,
  Includes,
  RawExpand,
  RawSelect,
  Count,
> = StaffReadOptions<Expand, Select> &
  OfCompany<
    Need,
    Omit<ListParameters, Own> & RawParameters<Includes, RawExpand, RawSelect> & { readonly $count?: Count }
  >;

/** What a read of one person takes; `query` has the contract's own parameters. */
export interface ReadRequest<Expand, Select, Includes, RawExpand, RawSelect, IfNoneMatch>
  extends StaffReadOptions<Expand, Select> {
  readonly path: { readonly staff_key: string };
  readonly query?: Omit<ReadParameters, Own> & RawParameters<Includes, RawExpand, RawSelect>;
  /** An ETag of `etagOf(…)`: the answer is undefined while the person is still as it was. */
  readonly ifNoneMatch?: IfNoneMatch;
}

type ListParameters = NonNullable<operations['listStaffMembers']['parameters']['query']>;
type ReadParameters = NonNullable<operations['getStaffMember']['parameters']['query']>;
type Own = 'companyKey' | 'includes' | '$expand' | '$select' | '$count';

interface RawParameters<Includes, RawExpand, RawSelect> {
  /** Collections to include, with the same effect as `expand`. */
  readonly includes?: Includes;
  readonly $expand?: RawExpand;
  readonly $select?: RawSelect;
}

/** The last parameter of a method, which may be left out where nothing in it is needed. */
type Last<Need extends CompanyNeed, Request> = Need extends 'required' ? [request: Request] : [request?: Request];

type Names<Name> = readonly Name[] | undefined;
type Raw = string | undefined;

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
  listStaffMembers<
    const Expand extends Names<StaffExpansion> = undefined,
    const Select extends Names<StaffField> = undefined,
    const Includes extends Names<ListInclude> = undefined,
    RawExpand extends Raw = undefined,
    RawSelect extends Raw = undefined,
    const Count extends boolean | undefined = undefined,
  >(
    ...request: Last<Need, ListRequest<Need, Expand, Select, Includes, RawExpand, RawSelect, Count>>
  ): Promise<
    Count extends true
      ? StaffMemberEnvelope<ShapeOf<Expand, Select, Includes, RawExpand, RawSelect>>
      : StaffMember<ShapeOf<Expand, Select, Includes, RawExpand, RawSelect>>[]
  >;

  /** Reads one person, with the fields and collections asked for. `GET /v2/staffmember/{staff_key}` */
  getStaffMember<
    const Expand extends Names<StaffExpansion> = undefined,
    const Select extends Names<StaffField> = undefined,
    const Includes extends Names<ReadInclude> = undefined,
    RawExpand extends Raw = undefined,
    RawSelect extends Raw = undefined,
    IfNoneMatch extends Raw = undefined,
  >(
    request: ReadRequest<Expand, Select, Includes, RawExpand, RawSelect, IfNoneMatch>,
  ): Promise<
    | StaffMember<ShapeOf<Expand, Select, Includes, RawExpand, RawSelect>>
    | (IfNoneMatch extends string ? undefined : never)
  >;

  /**
   * Lists the limits on a person's requests, with the parts that are included.
   * `GET /v2/staffmember/{staff_key}/requestlimit`
   */
  listRequestLimits<const Includes extends Names<RequestLimitInclude> = undefined>(
    request: CallOptions & {
      readonly path: { readonly staff_key: string };
      readonly query?: { readonly includes?: Includes };
    },
  ): Promise<RequestLimitOf<Includes>[]>;

  /**
   * Lists people part by part: `for await (const people of client.pages({ pageSize: 500 }))`. A part has at most
   * `pageSize` people, by default 100; a server that does not page gives all of them in one.
   */
  pages<
    const Expand extends Names<StaffExpansion> = undefined,
    const Select extends Names<StaffField> = undefined,
    const Includes extends Names<ListInclude> = undefined,
    RawExpand extends Raw = undefined,
    RawSelect extends Raw = undefined,
  >(
    ...request: Last<
      Need,
      ListRequest<Need, Expand, Select, Includes, RawExpand, RawSelect, false> & { readonly pageSize?: number }
    >
  ): AsyncGenerator<StaffMember<ShapeOf<Expand, Select, Includes, RawExpand, RawSelect>>[], void, undefined>;

  /** The tags of a person by category: of one in the company, else it throws a `NotFoundError`. */
  staffTags(staffKey: string, ...options: Last<Need, CallOptions & OfCompany<Need>>): Promise<StaffTag[]>;

  /** The tasks that a person is skilled for: of one in the company, else it throws a `NotFoundError`. */
  staffSkillset(staffKey: string, ...options: Last<Need, CallOptions & OfCompany<Need>>): Promise<StaffSkillset[]>;
}

interface ShapeOf<
  Expand extends Names<string>,
  Select extends Names<string>,
  Includes extends Names<string>,
  RawExpand extends Raw,
  RawSelect extends Raw,
> {
  readonly expand: Expand;
  readonly select: Select;
  readonly includes: Includes;
  readonly rawExpand: RawExpand;
  readonly rawSelect: RawSelect;
}
