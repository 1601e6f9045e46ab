import type { Change } from '../../../../apps/gateway/src/diff/change.ts';
import { type DescribedChange, describeChange, listed } from './describe-change.ts';

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
