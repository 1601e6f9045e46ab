/**
 * Returns the faults of a problem by the field that they name, and those that name none. A fault inside the value of a
 * field, such as `/PayModifierTags/0/TagKey`, is a fault of the field `/PayModifierTags`.
 */
export function placeFaults(errors, pointers) {
  const placed = new Map();
  const others = [];
  for (const fault of errors) {
    const { pointer, detail } = fault;
    const field = pointers.find((one) => pointer === one || pointer?.startsWith(`${one}/`));
    if (field === undefined) others.push(fault);
    else placed.set(field, [...(placed.get(field) ?? []), detail]);
  }
  return { placed, others };
}
