import type { StaffQuery } from '../staff-query.ts';
import type { Scope } from '../store/scope.ts';
import type { StaffList } from '../store/staff-reads.ts';
import { createDeltaToken } from './delta-token.ts';
import type { Links } from './list-reply.ts';
import type { Preferences } from './preferences.ts';
import { createLink, createSkipToken, digestQuery, type ListPath, parseSkipToken } from './skip-token.ts';

export interface PageRequest {
  readonly queryText: string;
  readonly query: StaffQuery;
  readonly scope: Scope;
  readonly token: string | undefined;
  readonly preferred: Preferences;
  /** The list that links lead to. */
  readonly path?: ListPath;
}

/** Returns which people a page contains, and how its links are built. */
export function choosePage({ queryText, query, scope, token, preferred, path }: PageRequest) {
  const { skip = 0, top = Number.POSITIVE_INFINITY, orderby } = query.options;
  const isUntracked = preferred.tracking === undefined || !isTrackable(query);
  if (token === undefined && preferred.pageSize === undefined && isUntracked) {
    return { query, choice: {}, isTracked: false, linksAfter: () => ({}) };
  }
  const digest = digestQuery(queryText, scope);
  const start = token === undefined ? undefined : parseSkipToken(token, digest, orderby);
  // Only lists of changes and tracked lists have an upper bound.
  const isTracked = start === undefined ? !isUntracked : start.until !== undefined && isTrackable(query);
  const pageSize = preferred.pageSize ?? start?.pageSize ?? top;
  const left = top - (start?.delivered ?? 0);
  const size = Math.max(0, Math.min(pageSize, left));
  const isPage = Number.isFinite(size);
  const choice = {
    ...{ skip: start === undefined ? skip : 0, top: isPage ? size : undefined, isPage },
    ...{ after: start?.after, until: start?.until },
  };
  const linksAfter = ({ next, size, until = '' }: StaffList): Links => {
    if (next !== undefined && size < left) {
      const delivered = (start?.delivered ?? 0) + size;
      const place = { after: next, delivered, pageSize, until: until || undefined };
      return { nextLink: createLink(queryText, '$skiptoken', createSkipToken(place, digest), path) };
    }
    if (!isTracked) return {};
    const begin = { after: { stamp: until }, pageSize: isPage ? pageSize : undefined };
    return { deltaLink: createLink(queryText, '$deltatoken', createDeltaToken(begin, digest), path) };
  };
  return { query: isTracked ? { ...withKeys(query), modifiedSince: {} } : query, choice, isTracked, linksAfter };
}

/** Returns whether the changes of a list can be determined from the changes of people. */
function isTrackable({ options, modifiedSince, isTimeless, fills }: StaffQuery): boolean {
  const { orderby, top, skip, count } = options;
  const isWhole = orderby.length === 0 && top === undefined && skip === undefined && !count;
  // A profile of the company changes the available ones of people without a change of theirs.
  return isWhole && modifiedSince === undefined && isTimeless && !fills.has('AvailableProfiles');
}

/** Returns the query with StaffKey among the selected properties: clients need it to find the person who changed. */
export function withKeys(query: StaffQuery): StaffQuery {
  const { select, options } = query;
  if (select === undefined || select.some(({ property }) => property === 'StaffKey')) return query;
  const key = { property: 'StaffKey', select: undefined };
  return { ...query, select: [key, ...select], options: { ...options, select: [key, ...(options.select ?? [])] } };
}
