/** What is in the first set and not in the second. */
export function minus<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): ReadonlySet<T> {
  return new Set([...a].filter((item) => !b.has(item)));
}
