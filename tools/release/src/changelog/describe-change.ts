import type { Rule } from '../../../../apps/gateway/src/diff/rules.ts';

/** The same thing that happened to one or more operations, at one place of theirs. */
export interface ToldChange {
  readonly rule: Rule;
  /** Such as `query limit`, `body` or `answer 200`; empty for all of an operation. */
  readonly place: string;
  /** In that place, such as `/owner/name`; none where it is about all of it. */
  readonly fields: readonly string[];
  readonly text: string;
}

/**
 * What callers notice, as a sentence.
 * @param subject such as `` `GET /staffmember` ``; empty for the server as a whole
 */
export function describeChange({ rule, place, fields, text }: ToldChange, subject: string): string {
  const where = partWords(place, fields);
  const verb = verbs[rule]?.(where, text);
  if (verb !== undefined) return `${subject} ${verb}.`;
  if (place === '' || subjectRules.has(rule)) return subject === '' ? `${text}.` : `${subject} ${text}.`;
  return `${where} of ${subject}: ${boundWords(text)}.`;
}

/** Rules whose text has the operation for its subject already. */
const subjectRules: ReadonlySet<Rule> = new Set([
  'server-removed',
  'server-added',
  'body-added-required',
  'body-added',
  'body-removed',
  'body-required',
  'body-optional',
  'success-removed',
  'success-added',
  'error-removed',
  'error-added',
]);

type Verb = (where: string, text: string) => string;

/** The changes that are met most, in the words of a release note. */
const verbs: Readonly<Partial<Record<Rule, Verb>>> = {
  'parameter-added': (where) => `now accepts ${where}`,
  'parameter-added-required': (where) => `now needs ${where}`,
  'parameter-removed': (where) => `no longer accepts ${where}`,
  'parameter-required': (where) => `now needs ${where}, which could be left out`,
  'parameter-optional': (where) => `no longer needs ${where}`,
  'parameter-deprecated': (where) => `still accepts ${where}, which is deprecated`,
  'request-media-type-added': (_, text) => `now accepts bodies of \`${firstWord(text)}\``,
  'request-media-type-removed': (_, text) => `no longer accepts bodies of \`${firstWord(text)}\``,
  'request-field-added': (where) => `now accepts ${where}`,
  'request-field-removed': (where) => `no longer accepts ${where}`,
  'request-field-required': (where) => `now needs ${where}`,
  'request-field-optional': (where) => `no longer needs ${where}`,
  'answer-field-added': (where) => `now gives ${where}`,
  'answer-field-removed': (where) => `no longer gives ${where}`,
  'answer-field-required': (where) => `now always gives ${where}`,
  'answer-field-optional': (where) => `may leave out ${where} now`,
  'answer-header-added': (where, text) => `now gives the header \`${headerIn(text)}\` in ${where}`,
  'answer-header-removed': (where, text) => `no longer gives the header \`${headerIn(text)}\` in ${where}`,
  'answer-header-left-out': (where, text) => `no longer gives the header \`${headerIn(text)}\` in ${where}`,
  'answer-media-type-added': (where, text) => `now gives ${where} as ${mediaTypeIn(text)} too`,
  'answer-media-type-removed': (where, text) => `no longer gives ${where} as ${mediaTypeIn(text)}`,
};

/** ``query limit`` as ``the query parameter `limit` ``, `body` with `/owner/name` as `` `owner/name` in the body``. */
function partWords(place: string, fields: readonly string[]): string {
  const [kind = '', ...rest] = place.split(' ');
  const whole = placeWords(kind, rest.join(' '));
  if (fields.length === 0) return whole;
  return `${listed(fields.map((field) => `\`${field.slice(1)}\``))} in ${whole}`;
}

function placeWords(kind: string, name: string): string {
  if (kind === 'body') return name === '' ? 'the body' : `the body as \`${name}\``;
  if (kind === 'answer') return answerWords(name);
  if (kind === 'header') return `the header \`${name}\``;
  return name === '' ? kind : `the ${kind} parameter \`${name}\``;
}

/** Of `200`, `200 text/csv` or `200 header ETag`. */
function answerWords(name: string): string {
  const [status = '', second, third] = name.split(' ');
  if (second === undefined) return `the answer ${status}`;
  return third === undefined
    ? `the answer ${status} as \`${second}\``
    : `the header \`${third}\` of the answer ${status}`;
}

/** `maxLength none became 400` in words; any other text as it is. */
function boundWords(text: string): string {
  const [, name, from, to] = /^((?:min|max)[A-Z]\w*|minimum|maximum) (.+) became (.+)$/.exec(text) ?? [];
  if (name === undefined) return text;
  if (from === 'none') return `\`${name}\` is ${to} now`;
  return to === 'none' ? `\`${name}\` was ${from}, and is none now` : `\`${name}\` is ${to} now, not ${from}`;
}

/** `a, b and c`, or no more of them than anyone reads. */
export function listed(texts: readonly string[]): string {
  const told = texts.slice(0, toldMax);
  const rest = texts.length - told.length;
  const parts = rest > 0 ? [...told, `${rest} more`] : told;
  return [parts.slice(0, -1).join(', '), parts.at(-1)].filter(Boolean).join(' and ');
}

const toldMax = 4;

const firstWord = (text: string): string => text.split(' ', 1)[0] as string;

/** Of `the header ETag is new`. */
const headerIn = (text: string): string => text.replace(/^the header (\S+) .*$/, '$1');

/** Of `is given as text/csv too`. */
const mediaTypeIn = (text: string): string => `\`${/as (\S+)/.exec(text)?.[1] ?? text}\``;
