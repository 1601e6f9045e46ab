import { distance } from 'fastest-levenshtein';

/** Returns ` Did you mean x?`, to append to a message about an unknown name; empty when no known name is similar. */
export function didYouMean(name: string, known: readonly string[]): string {
  return question(bestOf(name, known, [isSameName, isTypo, isPrefix]));
}

/**
 * Returns a suggestion for an unknown field of a configuration file, which is also compared word by word. `nested`
 * holds the full names of fields of nested objects. Without a related field it lists the known ones: advice to remove
 * the field would drop the protection that the author wanted.
 */
export function suggestField(name: string, known: readonly string[], nested: readonly string[] = []): string {
  const own = relatedNames(name, known);
  const leafOf = (full: string) => full.slice(full.lastIndexOf('.') + 1);
  const leaves = own.length > 0 ? [] : relatedNames(name, nested.map(leafOf));
  const found = [...own, ...leaves.flatMap((leaf) => nested.filter((full) => leafOf(full) === leaf))];
  if (found.length > 0) return question(found.slice(0, suggestionsMax));
  if (known.length === 0) return '';
  const rest = known.length - listedMax;
  return ` Use one of: ${known.slice(0, listedMax).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
}

/** Returns ` Did you mean --x?` for an unknown option; names are without dashes. Empty when none is related. */
export function suggestOption(option: string, known: readonly string[]): string {
  return question(relatedNames(option, known).map((name) => `--${name}`));
}

/** Returns the known names that resemble a name as a whole or word by word, likeliest first. */
function relatedNames(name: string, known: readonly string[]): readonly string[] {
  return bestOf(name, known, [isSameName, isTypo, wordsInCommon, isPrefix]);
}

/** Whether a name is likely a typo of a known one: one letter off, or the same letters in another order. */
export function isTypoOf(name: string, known: string): boolean {
  return name !== known && name.length > 3 && (distance(name, known) === 1 || hasSameLetters(name, known));
}

const suggestionsMax = 4;
const listedMax = 16;
/** Longer names are not worth the comparison. */
const lengthMax = 100;

/** Returns how similar two names are: 0 or false for unrelated ones. */
type Relation = (name: string, known: string) => number | boolean;

/** Returns the most similar names by the first relation that finds any, those of a similar length first. */
function bestOf(name: string, known: readonly string[], relations: readonly Relation[]): readonly string[] {
  if (name === '' || name.length > lengthMax) return [];
  for (const relation of relations) {
    const scores = new Map(known.filter((each) => each !== name).map((each) => [each, Number(relation(name, each))]));
    const best = Math.max(0, ...scores.values());
    if (best === 0) continue;
    const gap = (each: string) => Math.abs(each.length - name.length);
    const found = [...scores.keys()].filter((each) => scores.get(each) === best);
    return found.sort((a, b) => gap(a) - gap(b)).slice(0, suggestionsMax);
  }
  return [];
}

function question(names: readonly string[]): string {
  if (names.length === 0) return '';
  const last = names.at(-1);
  return ` Did you mean ${names.length === 1 ? last : `${names.slice(0, -1).join(', ')} or ${last}`}?`;
}

/** Whether both have the same words, regardless of case, separators and plural. */
function isSameName(name: string, known: string): boolean {
  const own = wordsOf(name).join('');
  return own !== '' && own === wordsOf(known).join('');
}

/** Scores one wrong letter in four, or swapped letters; in a short name, one extra or missing letter at most. */
function isTypo(name: string, known: string): number {
  const [a, b] = [name.toLowerCase(), known.toLowerCase()];
  const length = Math.min(a.length, b.length);
  const apart = distance(a, b);
  const edits = apart === 2 && hasSameLetters(a, b) ? 1 : apart;
  const isNear =
    length < 4
      ? (length > 1 && hasSameLetters(a, b)) || (length === 3 && a.length !== b.length && apart === 1 && a[0] === b[0])
      : edits <= Math.min(3, Math.floor(length / 4));
  return isNear ? 1 / (1 + edits) : 0;
}

/** Whether one name begins with the other: `warn` is found for `warning`. */
function isPrefix(name: string, known: string): boolean {
  const [a, b] = [name.toLowerCase(), known.toLowerCase()];
  if (a.length >= 3 && b.startsWith(a)) return true;
  const rest = name.slice(b.length);
  return (
    a.startsWith(b) && ((b.length >= 3 && /^[_.\-A-Z]/.test(rest)) || (b.length >= 4 && /^[a-z]{1,3}$/.test(rest)))
  );
}

/** Counts the common words that carry meaning. */
function wordsInCommon(name: string, known: string): number {
  const others = wordsOf(known).filter(isMeaningful);
  return wordsOf(name).filter((word) => isMeaningful(word) && others.some((other) => isSameWord(word, other))).length;
}

function isSameWord(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= 4 && long.startsWith(short);
}

/** Returns lower-case words in the singular: `rateLimits` and `rate-limit` give the same. */
function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.replace(/ies$/, 'y').replace(/(?<=[a-z]{2}[^s])s$/, ''));
}

/** Units, bounds and switches occur in unrelated fields. */
const meaningless = new Set(
  'ms second minute hour per max min on off is of the enable enabled file dir not no use'.split(' '),
);
const isMeaningful = (word: string): boolean => !meaningless.has(word);

function hasSameLetters(a: string, b: string): boolean {
  const letters = (text: string) => [...text].sort().join('');
  return letters(a) === letters(b);
}
