import { afterKeys, type BoundExpression, type BoundOrder, orderValues } from '@rostergate/odata';
import type { Pace } from './pace.ts';

/** Where somebody stands in an ordered list, whoever else comes or goes. */
export interface Place {
  /** What `$orderby` looks at, in its order. */
  readonly keys: readonly PlaceValue[];
  readonly staffKey: string;
}

export type PlaceValue = string | number | boolean | null;

/** Somebody in a list that is yet to be ordered. */
export interface Placed extends Place {
  readonly row: number;
}

/** The order of a list: `$orderby`, and StaffKey where that says nothing. */
export function createOrder(orderby: readonly BoundOrder[]): (a: Place, b: Place) => number {
  const signs = orderby.map(({ descending }) => (descending ? -1 : 1));
  return (a, b) => {
    for (let i = 0; i < signs.length; i++) {
      const order = orderValues(a.keys[i] ?? null, b.keys[i] ?? null);
      // NaN where values have no order: they tie.
      if (order) return order * (signs[i] as number);
    }
    return orderValues(a.staffKey, b.staffKey);
  };
}

const byStaffKey: BoundOrder = {
  expression: { kind: 'property', variable: 0, path: ['StaffKey'], type: 'Edm.String', nullable: false },
  descending: false,
};

/** The condition for people who come after a place. */
export const afterPlace = (orderby: readonly BoundOrder[], { keys, staffKey }: Place): BoundExpression =>
  afterKeys([...orderby, byStaffKey], [...keys, staffKey]);

/** The condition for people who come before a place: after it in the opposite order. */
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

/** The JavaScript type of a value by which a list is ordered; null is one of each. */
export function placeTypeOf({ expression: { type } }: BoundOrder): 'number' | 'boolean' | 'string' {
  if (numbers.has(type)) return 'number';
  return type === 'Edm.Boolean' ? 'boolean' : 'string';
}

/** A value of a column as it is ordered by: databases have their own forms of numbers and flags. */
export function toPlaceValue(value: unknown, order: BoundOrder): PlaceValue {
  if (value === null || value === undefined) return null;
  const type = placeTypeOf(order);
  if (type === 'number') return Number(value);
  return type === 'boolean' ? Boolean(value) : String(value);
}

/** Merges lists that are each in order; a large one in pieces, between which others have their turn. */
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
    if (merged.length % comparisonsAtOnce === 0) await pace.rest();
  }
  while (i < a.length) merged.push(a[i++] as Placed);
  while (j < b.length) merged.push(b[j++] as Placed);
  return merged;
}
