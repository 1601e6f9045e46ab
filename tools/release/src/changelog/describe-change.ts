import type { Change } from '../../../../apps/gateway/src/diff/change.ts';
import type { Rule } from '../../../../apps/gateway/src/diff/rules.ts';

/**
 * What callers notice, as a sentence about operations that the same thing happened to.
 * @param subject such as `` `GET /staffmember` ``
 */
export function describeChange({ rule, part, text }: Pick<Change, 'rule' | 'part' | 'text'>, subject: string): string {
  const verb = verbs[rule]?.(partWords(part), text);
  if (verb !== undefined) return `${subject} ${verb}.`;
  if (part === '' || subjectRules.has(rule)) return subject === '' ? `${text}.` : `${subject} ${text}.`;
  return `${subject}, ${partWords(part)}: ${text}.`;
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

type Verb = (part: string, text: string) => string;

/** The changes that are met most, in the words of a release note. */
const verbs: Readonly<Partial<Record<Rule, Verb>>> = {
  'parameter-added': (part) => `now accepts ${part}`,
  'parameter-added-required': (part) => `now needs ${part}`,
  'parameter-removed': (part) => `no longer accepts ${part}`,
  'parameter-required': (part) => `now needs ${part}, which could be left out`,
  'parameter-optional': (part) => `no longer needs ${part}`,
  'parameter-deprecated': (part) => `still accepts ${part}, which is deprecated`,
  'request-media-type-added': (_, text) => `now accepts bodies of \`${firstWord(text)}\``,
  'request-media-type-removed': (_, text) => `no longer accepts bodies of \`${firstWord(text)}\``,
  'request-field-added': (part) => `now accepts ${part}`,
  'request-field-removed': (part) => `no longer accepts ${part}`,
  'request-field-required': (part) => `now needs ${part}`,
  'request-field-optional': (part) => `no longer needs ${part}`,
  'answer-field-added': (part) => `now gives ${part}`,
  'answer-field-removed': (part) => `no longer gives ${part}`,
  'answer-field-required': (part) => `now always gives ${part}`,
  'answer-field-optional': (part) => `may leave out ${part} now`,
  'answer-header-added': (part, text) => `now gives the header \`${lastNameIn(text)}\` in ${part}`,
  'answer-header-removed': (part, text) => `no longer gives the header \`${lastNameIn(text)}\` in ${part}`,
  'answer-header-left-out': (part, text) => `no longer gives the header \`${lastNameIn(text)}\` in ${part}`,
  'answer-media-type-added': (part, text) => `now gives ${part} as ${mediaTypeIn(text)} too`,
  'answer-media-type-removed': (part, text) => `no longer gives ${part} as ${mediaTypeIn(text)}`,
};

/** ``body /owner/name`` as ``` `/owner/name` in the body```, ``query limit`` as ``the query parameter `limit` ``. */
function partWords(part: string): string {
  const [place = '', ...rest] = part.split(' ');
  const field = rest.at(-1)?.startsWith('/') ? rest.pop() : undefined;
  const name = rest.join(' ');
  const whole = placeWords(place, name);
  return field === undefined ? whole : `\`${field.slice(1)}\` in ${whole}`;
}

function placeWords(place: string, name: string): string {
  if (place === 'body') return name === '' ? 'the body' : `the body as \`${name}\``;
  if (place === 'answer') return `the answer ${name.replace(/^(\w+) header (.+)$/, '$1, header `$2`')}`;
  if (place === 'header') return `the header \`${name}\``;
  return name === '' ? place : `the ${place} parameter \`${name}\``;
}

const firstWord = (text: string): string => text.split(' ', 1)[0] as string;

/** Of ``the header ETag is new``. */
const lastNameIn = (text: string): string => text.replace(/^the header (\S+) .*$/, '$1');

/** Of ``is given as text/csv too``. */
const mediaTypeIn = (text: string): string => `\`${/as (\S+)/.exec(text)?.[1] ?? text}\``;
