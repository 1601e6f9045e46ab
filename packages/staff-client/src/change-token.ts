/** How far a client has read the changes of a company. */
export interface ChangeState {
  /** The time from which the current round reads. */
  readonly since: string;
  /** The people that earlier rounds have delivered with that time. The server returns them again. */
  readonly known: Group;
  /** The number and sum of the people that this round has received with that time. */
  readonly seen: Group;
  /** The newest `LastModifiedDateUtc` received, and the people with it. */
  readonly newest: string;
  readonly latest: Group;
  /** The link to the next page; undefined between rounds. */
  readonly link?: string | undefined;
}

/** People who share a time: their number, the sum of their marks, and the marks themselves if they are few. */
type Group = readonly [count: number, sum: number, ...marks: number[]];

const nobody: Group = [0, 0];
// Up to about 17 kB for each of two groups. An import, whose people share a time, is often larger than a page.
const marksMax = 1_000;

/** Returns the state as text. */
export function writeToken({ since, known, seen, newest, latest, link }: ChangeState): string {
  return JSON.stringify(link ? [since, known, link, newest, latest, seen] : [since, known]);
}

/** Parses a token, or a date with or without a time. Throws a RangeError for any other text. */
export function readToken(text: string): ChangeState {
  if (timeOf(text) >= 0) return stateAt(text);
  try {
    const [since, known, link, newest = since, latest = nobody, seen = nobody] = JSON.parse(text);
    const isWhole = [latest, known, seen].every(isGroup) && typeof (link ?? '') === 'string';
    if (isWhole && timeOf(newest) >= 0 && timeOf(since) >= 0) {
      return { since, known, seen, newest, latest, link };
    }
  } catch {
    // The text is not JSON.
  }
  throw new RangeError('since is neither a token of changes() nor a time such as 2026-01-31T09:30:00Z.');
}

/** Returns the state before a round. */
export function stateAt(since: string, known = nobody): ChangeState {
  return { since, known, seen: nobody, newest: since, latest: nobody };
}

/**
 * Returns the state after a page, and the people of the page without those that an earlier round has delivered. Of a large
 * group of one time nobody is delivered again; when it differs at the end of the round, `isRepeated` says to read the
 * round again from the state, and then everybody is delivered.
 */
export function advance(
  { since, known, ...before }: ChangeState,
  people: readonly Changed[],
  link: string | undefined,
): { readonly state: ChangeState; readonly changed: readonly Changed[]; readonly isRepeated: boolean } {
  let { seen, newest, latest } = before;
  const [count, sum, ...marks] = known;
  const isLarge = marks.length < count;
  const startMs = timeOf(since);
  let newestMs = timeOf(newest);
  const changed: Changed[] = [];
  for (const person of people) {
    const time = timeOf(person.LastModifiedDateUtc);
    const mark = markOf(person);
    const isAtStart = time === startMs;
    if (isAtStart) seen = withMark(seen, mark, 0);
    if (time > newestMs) [newestMs, newest, latest] = [time, `${person.LastModifiedDateUtc}`, nobody];
    if (time === newestMs) latest = withMark(latest, mark);
    if (!isAtStart || !(isLarge || marks.includes(mark))) changed.push(person);
  }
  const isRepeated = !link && isLarge && (seen[0] !== count || seen[1] !== sum);
  const after = isRepeated ? stateAt(since) : stateAt(newest, latest);
  return { state: link ? { since, known, seen, newest, latest, link } : after, changed, isRepeated };
}

function withMark([count, sum, ...marks]: Group, mark: number, max = marksMax): Group {
  return [count + 1, (sum + mark) % 2 ** 52, ...(count < max ? [...marks, mark] : [])];
}

function isGroup(value: unknown): boolean {
  return Array.isArray(value) && value.length > 1 && value.every(Number.isSafeInteger);
}

interface Changed {
  readonly LastModifiedDateUtc?: string | null;
}

/** Returns the milliseconds of a time, which is UTC without an offset; NaN for anything else. */
function timeOf(text: unknown): number {
  const [, day, time = 'T00:00', zone = 'Z'] = /^(\d{4}-\d\d-\d\d)(T[\d:.]+)?(Z|[+-]\d\d:\d\d)?$/.exec(`${text}`) ?? [];
  return Date.parse(`${day}${time}${zone}`);
}

/** Returns a hash of 52 bits, twice FNV-1a with different factors: equal people have the same one. */
function markOf(person: object): number {
  let [a, b] = [0x811c9dc5, 0x41c6ce57];
  for (const char of JSON.stringify(person)) {
    const code = char.codePointAt(0) as number;
    a = Math.imul(a ^ code, 0x1000193);
    b = Math.imul(b ^ code, 0x5f356495);
  }
  return 0x1_0000_0000 * (b & 0xf_ffff) + (a >>> 0);
}
