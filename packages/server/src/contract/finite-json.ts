/**
 * Returns the JSON text of a parsed value. Undefined when it contains a number beyond the range of doubles, such as 1e400:
 * the parser returns infinity for it, which JSON.stringify writes as null, and null may clear a field.
 */
export function toFiniteJson(value: unknown): string | undefined {
  let isExact = true;
  const text = JSON.stringify(value, (_name, member: unknown) => {
    if (typeof member === 'number' && !Number.isFinite(member)) isExact = false;
    return member;
  });
  return isExact ? text : undefined;
}
