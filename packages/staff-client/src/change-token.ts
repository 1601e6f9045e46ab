/** How far a client has read the changes of a company. */
export interface ChangeState {
  /** The time from which the current round reads. */
  readonly since: string;
  /** Marks of the people that the rounds before have delivered with that time. The server returns them again. */
  readonly known: readonly number[];
  /** The newest `LastModifiedDateUtc` received, and marks of people with that time. */
  readonly newest: string;
  readonly marks: readonly number[];
  /** The link to the next page; undefined between rounds. */
  readonly link?: string | undefined;
}

/** People beyond this number who share one time are delivered once more in the next round. */
const marksMax = 20;

/** Returns the state as text. */
export function writeToken({ since, known, newest, marks, link }: ChangeState): string {
  return JSON.stringify(link ? [newest, marks, link, since, known] : [newest, marks]);
}

/** Parses a token, or a date with or without a time. Throws a RangeError for any other text. */
export function readToken(text: string): ChangeState {
  if (timeOf(text) >= 0) return { since: text, known: [], newest: text, marks: [] };
  try {
    const [newest, marks, link, since = newest, known = marks] = JSON.parse(text);
    const isWhole = [marks, known].every(Array.isArray) && typeof (link ?? '') === 'string';
    if (isWhole && timeOf(newest) >= 0 && timeOf(since) >= 0) return { since, known, newest, marks, link };
  } catch {
    // The text is not JSON.
  }
  throw new RangeError('since is neither a token of changes() nor a time such as 2026-01-31T09:30:00Z.');
}

/** Returns the state after a page, and the people of the page without those that an earlier round has delivered. */
export function advance(
  { since, known, ...before }: ChangeState,
  people: readonly Changed[],
  link: string | undefined,
): { readonly state: ChangeState; readonly changed: readonly Changed[] } {
  const isAt = (time: string, person: Changed) => timeOf(person.LastModifiedDateUtc) === timeOf(time);
  let { newest, marks } = before;
  for (const { LastModifiedDateUtc: time } of people)
    if (timeOf(time) > timeOf(newest)) [newest, marks] = [`${time}`, []];
  marks = [...new Set([...marks, ...people.filter((one) => isAt(newest, one)).map(markOf)])].slice(0, marksMax);
  const changed = people.filter((one) => !(isAt(since, one) && known.includes(markOf(one))));
  return {
    state: link ? { since, known, newest, marks, link } : { since: newest, known: marks, newest, marks },
    changed,
  };
}

interface Changed {
  readonly LastModifiedDateUtc?: string | null;
}

/** Returns the milliseconds of a time, which is UTC without an offset; NaN for anything else. */
function timeOf(text: unknown): number {
  const [, day, time = 'T00:00', zone = 'Z'] = /^(\d{4}-\d\d-\d\d)(T[\d:.]+)?(Z|[+-]\d\d:\d\d)?$/.exec(`${text}`) ?? [];
  return Date.parse(`${day}${time}${zone}`);
}

/** Returns a hash of 53 bits, twice FNV-1a with different factors: equal people have the same one. */
function markOf(person: object): number {
  let [a, b] = [0x811c9dc5, 0x41c6ce57];
  for (const char of JSON.stringify(person)) {
    const code = char.codePointAt(0) as number;
    a = Math.imul(a ^ code, 0x1000193);
    b = Math.imul(b ^ code, 0x5f356495);
  }
  return 0x1_0000_0000 * (b & 0x1f_ffff) + (a >>> 0);
}
