import type { Note } from './change.ts';
import { type Comparison, noteSchemas } from './note-schemas.ts';
import { contentOf, follow, isMembers } from './operations.ts';

type Members = Readonly<Record<string, unknown>>;
type Answers = ReadonlyMap<string, Members>;

export function compareAnswers(old: Answers, next: Answers, comparison: Comparison, note: Note): void {
  for (const [status, answer] of old) {
    const other = next.get(status) ?? next.get(rangeOf(status));
    if (other !== undefined) compareAnswer(status, answer, other, comparison, note);
    else if (covers(status, next)) {
      for (const [one, other] of next) {
        if (rangeOf(one) === status) compareAnswer(one, answer, other, comparison, note);
      }
    } else if (isSuccess(status))
      note('success-removed', `answer ${status}`, `is not answered with ${status} any more`);
    else note('error-removed', `answer ${status}`, `is not answered with ${status} any more`);
  }
  for (const status of next.keys()) {
    if (old.has(status) || old.has(rangeOf(status)) || covers(status, old)) continue;
    note(isSuccess(status) ? 'success-added' : 'error-added', `answer ${status}`, `may be answered with ${status} now`);
  }
}

const rangeOf = (status: string): string => `${status.charAt(0)}XX`;

function isSuccess(status: string): boolean {
  return /^[23]/.test(status);
}

/** A range that stands for statuses which are there one by one. */
function covers(range: string, answers: Answers): boolean {
  return range.endsWith('XX') && [...answers.keys()].some((status) => rangeOf(status) === range);
}

function compareAnswer(status: string, old: Members, next: Members, comparison: Comparison, note: Note): void {
  const part = `answer ${status}`;
  const [before, now] = [contentOf(old), contentOf(next)];
  const areSeveral = before.size > 1 || now.size > 1;
  for (const [type, media] of before) {
    const other = now.get(type);
    if (other === undefined) note('answer-media-type-removed', part, `is not given as ${type} any more`);
    else noteSchemas(media.schema, other.schema, 'answer', areSeveral ? `${part} ${type}` : part, comparison, note);
  }
  for (const type of now.keys()) {
    if (!before.has(type)) note('answer-media-type-added', part, `is given as ${type} too`);
  }
  compareHeaders(part, headersOf(old, comparison.old), headersOf(next, comparison.next), comparison, note);
}

function compareHeaders(part: string, old: Headers, next: Headers, comparison: Comparison, note: Note): void {
  for (const [name, header] of old) {
    const other = next.get(name);
    if (other === undefined) note('answer-header-removed', part, `the header ${header.name} is gone`);
    else noteSchemas(header.schema, other.schema, 'answer', `${part} header ${other.name}`, comparison, note);
  }
  for (const [name, header] of next) {
    if (!old.has(name)) note('answer-header-added', part, `the header ${header.name} is new`);
  }
}

type Headers = ReadonlyMap<string, { readonly name: string; readonly schema: unknown }>;

function headersOf({ headers }: Members, document: Comparison['old']): Headers {
  return new Map(
    Object.entries(isMembers(headers) ? headers : {}).map(([name, header]) => {
      const { schema } = follow(header, document);
      return [name.toLowerCase(), { name, schema }];
    }),
  );
}
