const counts = new WeakMap<object, number>();

/**
 * Returns the number of people who match a list request with `count: true`, regardless of `top` and `skip`. The argument
 * must be the array that the client returned, not a copy. Throws TypeError when the request asked for no count.
 */
export function countOf(people: readonly unknown[]): number {
  const count = counts.get(people);
  if (count === undefined) throw new TypeError('The response has no count: send count: true.');
  return count;
}

/** The OData envelope of a list. */
export interface Page {
  readonly value?: readonly object[];
  readonly '@odata.count'?: number;
  /** Relative to the list's URL, or absolute. */
  readonly '@odata.nextLink'?: string;
}

/** @internal Returns the array of an envelope, and stores its count as long as the array is referenced. */
export function peopleOf(page: Page): readonly object[] {
  const people = page.value ?? (page as readonly object[]);
  const count = page['@odata.count'];
  if (count !== undefined) counts.set(people, count);
  return people;
}
