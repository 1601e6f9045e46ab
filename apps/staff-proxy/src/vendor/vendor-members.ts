/** The members of an object; none of anything else. */
export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

/** The objects of an array, or the one object that there is. */
export function entriesOf(told: unknown): readonly Members[] {
  return (Array.isArray(told) ? told : [told]).filter((entry) => typeof entry === 'object' && entry !== null);
}

/** The vendor's keys are GUIDs, whose letters may be of either case, or numbers. */
export function isSameKey(one: unknown, other: unknown): boolean {
  return String(one).toLowerCase() === String(other).toLowerCase();
}

export type Members = Readonly<Record<string, unknown>>;
