import { afterKeys, type BoundExpression, type BoundOrder, orderValues } from '@rostergate/odata';
import type { Pace } from './pace.ts';

/** A position in an ordered list that stays valid when people are added or removed. */
export interface Place {
  /** The values of `$orderby`, in its order. */
  readonly keys: readonly PlaceValue[];
  readonly staffKey: string;
}

export type PlaceValue = string | number | boolean | null;

/** A person in a list that is not ordered yet. */
export interface Placed extends Place {
  readonly row: number;
}

/** Returns the order of a list: `$orderby`, then StaffKey. */
export function createOrder(orderby: readonly BoundOrder[]): (a: Place, b: Place) => number {
  const signs = orderby.map(({ descending }) => (descending ? -1 : 1));
  return (a, b) => {
    for (let i = 0; i < signs.length; i++) {
      const order = orderValues(a.keys[i] ?? null, b.keys[i] ?? null);
      // NaN for values without an order: they tie.
      if (order) return order * (signs[i] as number);
    }
    return orderValues(a.staffKey, b.staffKey);
  };
}

const byStaffKey: BoundOrder = {
  expression: { kind: 'property', variable: 0, path: ['StaffKey'], type: 'Edm.String', nullable: false },
  descending: false,
};

/** Returns the condition for people after a place. */
export const afterPlace = (orderby: readonly BoundOrder[], { keys, staffKey }: Place): BoundExpression =>
  afterKeys([...orderby, byStaffKey], [...keys, staffKey]);

/** Returns the condition for people before a place: after it in the opposite order. */
export function beforePlace(orderby: readonly BoundOrder[], { keys, staffKey }: Place): BoundExpression {
  const opposite = [...orderby, byStaffKey].map(({ expression, descending }) => ({
    expression,
    descending: !descending,
  }));
  return afterKeys(opposite, [...keys, staffKey]);
}

const numbers: ReadonlySet<string> = new Set([
  ...['Edm.Int16', 'Edm.Int32', 'Edm.Int64', 'Edm.Decimal', 'Edm.Double', 'Edm.Duration'],
]);

/** Returns the JavaScript type of the values of an order; any of them may be null. */
export function placeTypeOf({ expression: { type } }: BoundOrder): 'number' | 'boolean' | 'string' {
  if (numbers.has(type)) return 'number';
  return type === 'Edm.Boolean' ? 'boolean' : 'string';
}

/** Converts a column value for comparison: databases differ in numbers and flags. */
export function toPlaceValue(value: unknown, order: BoundOrder): PlaceValue {
  if (value === null || value === undefined) return null;
  const type = placeTypeOf(order);
  if (type === 'number') return Number(value);
  return type === 'boolean' ? Boolean(value) : String(value);
}

/** Merges ordered lists, and lets other requests run in between. */
export async function mergeInOrder(
  runs: readonly (readonly Placed[])[],
  order: (a: Place, b: Place) => number,
  pace: Pace,
): Promise<readonly Placed[]> {
  let merged = [...runs];
  while (merged.length > 1) {
    const next: (readonly Placed[])[] = [];
    for (let i = 0; i < merged.length; i += 2) {
      const [a, b] = [merged[i] as readonly Placed[], merged[i + 1]];
      next.push(b === undefined ? a : await mergeTwo(a, b, order, pace));
    }
    merged = next;
  }
  return merged[0] ?? [];
}

const comparisonsAtOnce = 1_000;

async function mergeTwo(
  a: readonly Placed[],
  b: readonly Placed[],
  order: (a: Place, b: Place) => number,
  pace: Pace,
): Promise<readonly Placed[]> {
  const merged: Placed[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const isFirst = order(a[i] as Placed, b[j] as Placed) <= 0;
    merged.push((isFirst ? a[i++] : b[j++]) as Placed);
    if (merged.length % comparisonsAtOnce === 0) await pace.pause();
  }
  while (i < a.length) merged.push(a[i++] as Placed);
  while (j < b.length) merged.push(b[j++] as Placed);
  return merged;
}
