import type { ContractDocument } from '@rostergate/endpoints';
import type { Note } from './change.ts';
import type { Direction, SchemaComparison } from './compare-schemas.ts';
import { contentOf, follow, isMembers, isWithin, mediaFor } from './operations.ts';
import type { Rule } from './rules.ts';

type Members = Readonly<Record<string, unknown>>;
type Responses = ReadonlyMap<string, Members>;

export function compareResponses(old: Responses, next: Responses, comparison: Comparison, note: Note): void {
  for (const [status, response] of old) {
    const [same, range] = [next.get(status), next.get(rangeOf(status))];
    if (same !== undefined) compareResponse(status, response, same, comparison, note);
    else if (range !== undefined) {
      if (status !== notModified) compareResponse(status, response, range, comparison, withoutAdditions(note));
    } else if (covers(status, next)) {
      for (const [one, other] of next) {
        if (rangeOf(one) === status) compareResponse(one, response, other, comparison, withoutAdditions(note));
      }
    } else if (isSuccess(status)) note('success-removed', `answer ${status}`, `no longer returns ${status}`);
    else note('error-removed', `answer ${status}`, `no longer returns ${status}`);
  }
  for (const status of next.keys()) {
    if (old.has(status) || old.has(rangeOf(status)) || covers(status, old)) continue;
    note(isSuccess(status) ? 'success-added' : 'error-added', `answer ${status}`, `may now return ${status}`);
  }
}

/**
 * Returns the responses of an operation that needs scopes without the part for a missing scope: a 403 that the same
 * operation without scopes does not have, or its problem document. Added and removed scopes are rated separately.
 */
export function withoutScopeResponse(responses: Responses, withoutScopes: Responses): Responses {
  const own = responses.get('403');
  if (own === undefined) return responses;
  const other = withoutScopes.get('403');
  if (other === undefined) {
    const isInRange = withoutScopes.has('4XX');
    return isInRange ? new Map([...responses].filter(([status]) => status !== '403')) : responses;
  }
  const [content, otherContent] = [own.content, contentOf(other)];
  if (!isMembers(content) || otherContent.has(problemType)) return responses;
  const { [problemType]: _, ...rest } = content;
  return new Map([...responses, ['403', { ...own, content: rest }]]);
}

const problemType = 'application/problem+json';

/** The schema of the events of a stream; OpenAPI 3.0 has no member for it. */
const eventData = 'x-event-data';

/** Ignores additions: a range declares more than a status in it without adding anything. */
function withoutAdditions(note: Note): Note {
  return (rule, part, text) => {
    if (rule !== 'answer-header-added' && rule !== 'answer-media-type-added') note(rule, part, text);
  };
}

const rangeOf = (status: string): string => `${status.charAt(0)}XX`;

/** The status for callers that have the response already: it depends on caching and breaks nothing. */
const notModified = '304';

function isSuccess(status: string): boolean {
  return /^[23]/.test(status) && status !== notModified;
}

/** Returns whether a range covers a status of the responses. */
function covers(range: string, responses: Responses): boolean {
  return range.endsWith('XX') && [...responses.keys()].some((status) => rangeOf(status) === range);
}

function compareResponse(status: string, old: Members, next: Members, comparison: Comparison, note: Note): void {
  const part = `answer ${status}`;
  const [before, now] = [contentOf(old), contentOf(next)];
  const areSeveral = before.size > 1 || now.size > 1;
  for (const [type, media] of before) {
    const other = mediaFor(type, now);
    if (other !== undefined) {
      const at = areSeveral ? `${part} ${type}` : part;
      noteSchemas(media.schema, other.schema, 'answer', at, comparison, note);
      const [data, otherData] = [media[eventData], other[eventData]];
      if (data !== undefined || otherData !== undefined) {
        noteSchemas(data ?? {}, otherData ?? {}, 'answer', `${at} event`, comparison, note);
      }
      continue;
    }
    // A range that became specific types is narrower.
    const isRange = type.endsWith('/*') && [...now.keys()].some((one) => isWithin(one, type));
    if (!isRange) note('answer-media-type-removed', part, `is no longer returned as ${type}`);
  }
  for (const type of now.keys()) {
    if (mediaFor(type, before) === undefined) note('answer-media-type-added', part, `is also returned as ${type}`);
  }
  compareHeaders(part, headersOf(old, comparison.old), headersOf(next, comparison.next), comparison, note);
}

function compareHeaders(part: string, old: Headers, next: Headers, comparison: Comparison, note: Note): void {
  for (const [name, header] of old) {
    const other = next.get(name);
    if (other === undefined) {
      const rule = header.isRequired ? 'answer-header-removed' : 'answer-header-left-out';
      note(rule, part, `the header ${header.name} is gone`);
      continue;
    }
    if (header.isRequired !== other.isRequired) {
      const rule = other.isRequired ? 'answer-header-required' : 'answer-header-optional';
      note(rule, part, `the header ${other.name} is ${other.isRequired ? 'now always sent' : 'no longer always sent'}`);
    }
    noteSchemas(header.schema, other.schema, 'answer', `${part} header ${other.name}`, comparison, note);
  }
  for (const [name, header] of next) {
    if (!old.has(name)) note('answer-header-added', part, `the header ${header.name} is new`);
  }
}

interface Header {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: unknown;
}

type Headers = ReadonlyMap<string, Header>;

function headersOf({ headers }: Members, document: Comparison['old']): Headers {
  return new Map(
    Object.entries(isMembers(headers) ? headers : {}).map(([name, header]) => {
      const { schema, required } = follow(header, document);
      return [name.toLowerCase(), { name, isRequired: required === true, schema }];
    }),
  );
}

/** Notes the differences between two schemas at a part of an operation. */
export function noteSchemas(
  old: unknown,
  next: unknown,
  direction: Direction,
  part: string,
  { compareSchemas }: Pick<Comparison, 'compareSchemas'>,
  note: Note,
): void {
  for (const { path, rule, text } of compareSchemas(old, next, direction)) {
    note(`${direction}-${rule}` as Rule, path === '' ? part : `${part} ${path}`, text);
  }
}

/** The two documents, and the comparison of their schemas. */
export interface Comparison {
  readonly old: ContractDocument;
  readonly next: ContractDocument;
  readonly compareSchemas: SchemaComparison;
}
