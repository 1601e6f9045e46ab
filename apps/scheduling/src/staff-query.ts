import {
  type BoundQuery,
  type BoundSelect,
  bind,
  canonicalDateTime,
  ODataError,
  parseQueryOptions,
} from '@rostergate/odata';
import { Problem } from '@rostergate/server/problem';
import { entityModel, staffMemberType } from './entity-model.ts';

/** The query of a request for people, checked against the contract. */
export interface StaffQuery {
  readonly options: BoundQuery;
  /** The properties to return for each person; undefined: all. */
  readonly select: readonly BoundSelect[] | undefined;
  /** The collections to return, with the options of each. All others are null. */
  readonly fills: ReadonlyMap<string, BoundQuery | true>;
  readonly modifiedSince: ModifiedSince | undefined;
  /** Whether the result does not depend on the time of the request. */
  readonly isTimeless: boolean;
}

/** Bounds of `LastModifiedDateUtc`, both included. */
export interface ModifiedSince {
  readonly from?: string | undefined;
  /** The newest stamp when the list began: a person who changes while the list is read comes with the next list. */
  readonly until?: string | undefined;
}

export interface StaffQuerySettings {
  readonly includes?: readonly string[] | undefined;
  readonly sinceModifiedTimestamp?: string | undefined;
  /** Milliseconds since the epoch, for `now()`. */
  readonly clock: () => number;
}

/** Cached queries by their text. Longer texts, and queries that call `now()`, are not cached. */
const cached = new Map<string, StaffQuery>();
const cachedMax = 500;
const cachedLengthMax = 300;

/** Every property of every person, with no collections. */
export const plainQuery: StaffQuery = parseStaffQuery('', { clock: () => 0 });

/**
 * Parses the query options from the undecoded query of a URL, where `%26` and `&` still differ.
 * @throws Problem 400 for an invalid query, 501 for an OData feature that is not supported
 */
export function parseStaffQuery(queryText: string, settings: StaffQuerySettings): StaffQuery {
  const { includes = [], sinceModifiedTimestamp = '', clock } = settings;
  const key = `${includes} ${sinceModifiedTimestamp} ${queryText}`;
  const known = cached.get(key);
  if (known !== undefined) return known;
  let isTimeless = true;
  const read = readStaffQuery(queryText, {
    ...settings,
    clock: () => {
      isTimeless = false;
      return clock();
    },
  });
  const query = { ...read, isTimeless };
  if (isTimeless && key.length <= cachedLengthMax) {
    if (cached.size >= cachedMax) cached.delete(cached.keys().next().value as string);
    cached.set(key, query);
  }
  return query;
}

function readStaffQuery(queryText: string, settings: StaffQuerySettings): Omit<StaffQuery, 'isTimeless'> {
  const { includes = [], sinceModifiedTimestamp, clock } = settings;
  const options = bindOptions(queryText, clock);
  const fills = new Map<string, BoundQuery | true>(includes.map((name) => [name, true]));
  for (const { property, query } of options.expand) fills.set(property, isWhole(query) ? true : query);
  // Time clock tags are tags, so they are returned with the others.
  if (fills.has('Tags')) fills.set('TTCMTags', true);
  let { select } = options;
  if (select !== undefined) {
    const named = new Set(select.map((one) => one.property));
    const added = [...fills.keys()].filter((name) => !named.has(name));
    select = [...select, ...added.map((property) => ({ property, select: undefined }))];
  }
  const from = sinceModifiedTimestamp === undefined ? undefined : canonicalDateTime(sinceModifiedTimestamp);
  if (sinceModifiedTimestamp !== undefined && from === undefined) {
    const fault = { parameter: 'sinceModifiedTimestamp', detail: 'is not a date, or a date and time' };
    throw new Problem('validation_failed', 'Send a time such as 2024-01-01T00:00:00Z.', { errors: [fault] });
  }
  return { options, select, fills, modifiedSince: from === undefined ? undefined : { from } };
}

function bindOptions(queryText: string, clock: () => number): BoundQuery {
  try {
    const options = parseQueryOptions(queryText, { dollarOptional: false });
    const bound = bind(options, entityModel, staffMemberType, {
      now: () => new Date(clock()),
      handled: ['$format', '$skiptoken', '$deltatoken'],
      rejectUnusedAliases: true,
    });
    if (bound.expand.some(({ query }) => query.count)) {
      const message = '$count within $expand is not supported.';
      throw new ODataError('not_supported', message, { offset: 0, option: '$expand' });
    }
    return bound;
  } catch (error) {
    if (error instanceof ODataError) throw createODataProblem(error);
    throw error;
  }
}

/** Returns the parser's message as a Problem, with the offset in the option's decoded text. */
function createODataProblem(error: ODataError): Problem {
  const code = error.status === 501 ? 'odata_unsupported' : 'odata_invalid';
  const detail = `At offset ${error.offset}: ${error.message}`;
  const fault = { detail, ...(error.option !== undefined && { parameter: error.option }) };
  return new Problem(code, error.option === undefined ? error.message : `${error.option}: ${error.message}`, {
    errors: [fault],
  });
}

function isWhole({ filter, orderby, select, expand, top, skip, count }: BoundQuery): boolean {
  const isPlain = filter === undefined && select === undefined && top === undefined && skip === undefined;
  return isPlain && orderby.length === 0 && expand.length === 0 && !count;
}
