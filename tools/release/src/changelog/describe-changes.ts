import type { Change } from '../../../../apps/gateway/src/diff/change.ts';
import type { Rule } from '../../../../apps/gateway/src/diff/rules.ts';

/**
 * Returns one sentence for the same change of several operations, or of several fields.
 * @param operations the number of all operations
 */
export function describeChanges(changes: readonly Change[], operations = Number.POSITIVE_INFINITY): readonly string[] {
  const ofOperations = [...Map.groupBy(changes, ({ rule, part, text }) => JSON.stringify([rule, part, text])).values()];
  const changed = ofOperations.map((group) => ({
    change: group[0] as Change,
    names: group.map(({ operation }) => operation),
  }));
  const ofFields = Map.groupBy(changed, ({ change, names }) => {
    const [place] = splitPart(change.part);
    // The text about a field names it.
    const isOfField = /-field-/.test(change.rule);
    return JSON.stringify([change.rule, place, isOfField ? '' : change.text, names, place === change.part]);
  });
  return [...ofFields.values()].map((group) => {
    const { change, names } = group[0] as (typeof changed)[number];
    const [place] = splitPart(change.part);
    const fields = group.flatMap((each) => splitPart(each.change.part)[1] ?? []);
    const described: DescribedChange = { rule: change.rule, place, fields, text: change.text };
    return capitalized(describeChange(described, subjectOf(names, operations)));
  });
}

/** Splits `body /owner/name` into place and field. */
function splitPart(part: string): [place: string, field?: string] {
  const at = part.startsWith('/') ? 0 : part.indexOf(' /') + 1;
  return part[at] === '/' ? [part.slice(0, Math.max(0, at - 1)), part.slice(at)] : [part];
}

/** Returns a singular subject. */
function subjectOf(names: readonly string[], operations: number): string {
  if (names.length === 1) return names[0] === '' ? '' : `\`${names[0]}\``;
  return names.length >= operations ? 'each operation' : `each of ${listed(names.map((name) => `\`${name}\``))}`;
}

const capitalized = (sentence: string): string => sentence.charAt(0).toUpperCase() + sentence.slice(1);

/** The same change of one or more operations at one place. */
interface DescribedChange {
  readonly rule: Rule;
  /** Such as `query limit`, `body` or `answer 200`; empty for the whole operation. */
  readonly place: string;
  /** Fields at that place, such as `/owner/name`; empty for the whole place. */
  readonly fields: readonly string[];
  readonly text: string;
}

/**
 * Returns a change as a sentence of a release note.
 * @param subject such as `` `GET /staffmember` ``; empty for the server as a whole
 */
function describeChange({ rule, place, fields, text }: DescribedChange, subject: string): string {
  const where = partText(place, fields);
  const verb = verbs[rule]?.(where, text);
  if (verb !== undefined) return `${subject} ${verb}.`;
  if (place === '' || subjectRules.has(rule)) return subject === '' ? `${text}.` : `${subject} ${text}.`;
  return `${where} of ${subject}: ${boundText(text)}.`;
}

/** Rules whose text already has the operation as its subject. */
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

/** The sentences of the most frequent changes. */
const verbs: Readonly<Partial<Record<Rule, Verb>>> = {
  'parameter-added': (where) => `now accepts ${where}`,
  'parameter-added-required': (where) => `now needs ${where}`,
  'parameter-removed': (where) => `no longer accepts ${where}`,
  'parameter-required': (where) => `now needs ${where}, which was optional`,
  'parameter-optional': (where) => `no longer needs ${where}`,
  'parameter-deprecated': (where) => `still accepts ${where}, which is deprecated`,
  'request-media-type-added': (_, text) => `now accepts bodies of \`${firstWord(text)}\``,
  'request-media-type-removed': (_, text) => `no longer accepts bodies of \`${firstWord(text)}\``,
  'request-field-added': (where) => `now accepts ${where}`,
  'request-field-removed': (where) => `no longer accepts ${where}`,
  'request-field-required': (where) => `now needs ${where}`,
  'request-field-optional': (where) => `no longer needs ${where}`,
  'answer-field-added': (where) => `now returns ${where}`,
  'answer-field-removed': (where) => `no longer returns ${where}`,
  'answer-field-required': (where) => `now always returns ${where}`,
  'answer-field-optional': (where) => `may now omit ${where}`,
  'answer-header-added': (where, text) => `now returns the header \`${headerIn(text)}\` in ${where}`,
  'answer-header-removed': (where, text) => `no longer returns the header \`${headerIn(text)}\` in ${where}`,
  'answer-header-left-out': (where, text) => `no longer returns the header \`${headerIn(text)}\` in ${where}`,
  'answer-header-required': (where, text) => `now always returns the header \`${headerIn(text)}\` in ${where}`,
  'answer-header-optional': (where, text) => `may now omit the header \`${headerIn(text)}\` in ${where}`,
  'answer-media-type-added': (where, text) => `now also returns ${where} as ${mediaTypeIn(text)}`,
  'answer-media-type-removed': (where, text) => `no longer returns ${where} as ${mediaTypeIn(text)}`,
};

/** ``query limit`` as ``the query parameter `limit` ``, `body` with `/owner/name` as `` `owner/name` in the body``. */
function partText(place: string, fields: readonly string[]): string {
  const [kind = '', ...rest] = place.split(' ');
  const whole = placeText(kind, rest.join(' '));
  if (fields.length === 0) return whole;
  return `${listed(fields.map((field) => `\`${field.slice(1)}\``))} in ${whole}`;
}

function placeText(kind: string, name: string): string {
  if (kind === 'body') return name === '' ? 'the body' : `the body as \`${name}\``;
  if (kind === 'answer') return responseText(name);
  if (kind === 'header') return `the header \`${name}\``;
  return name === '' ? kind : `the ${kind} parameter \`${name}\``;
}

/** Returns the text of `200`, `200 text/csv` or `200 header ETag`. */
function responseText(name: string): string {
  const [status = '', second, third] = name.split(' ');
  if (second === undefined) return `the response ${status}`;
  return third === undefined
    ? `the response ${status} as \`${second}\``
    : `the header \`${third}\` of the response ${status}`;
}

/** Returns `maxLength none became 400` as a phrase; other texts unchanged. */
function boundText(text: string): string {
  const [, name, from, to] = /^((?:min|max)[A-Z]\w*|minimum|maximum) (.+) became (.+)$/.exec(text) ?? [];
  if (name === undefined) return text;
  if (from === 'none') return `\`${name}\` is now ${to}`;
  return to === 'none' ? `\`${name}\` was ${from} and is now none` : `\`${name}\` is now ${to}, not ${from}`;
}

/** Returns `a, b and c`; at most four names. */
function listed(texts: readonly string[]): string {
  const shown = texts.slice(0, namesMax);
  const rest = texts.length - shown.length;
  const parts = rest > 0 ? [...shown, `${rest} more`] : shown;
  return [parts.slice(0, -1).join(', '), parts.at(-1)].filter(Boolean).join(' and ');
}

const namesMax = 4;

const firstWord = (text: string): string => text.split(' ', 1)[0] as string;

/** Returns `ETag` of `the header ETag is new`. */
const headerIn = (text: string): string => text.replace(/^the header (\S+) .*$/, '$1');

/** Returns `text/csv` of `is also returned as text/csv`. */
const mediaTypeIn = (text: string): string => `\`${/as (\S+)/.exec(text)?.[1] ?? text}\``;
