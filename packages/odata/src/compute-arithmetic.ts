import type { ArithmeticOperator } from './ast.ts';
import { hasInfinity, isWholeType } from './binder.ts';
import type { BoundArithmetic, Value } from './bound-ast.ts';
import { addSeconds, secondsBetween } from './date-time.ts';

/** The operator as a function of two values that are not null, for operands of these types. */
export function arithmetic(
  node: Pick<BoundArithmetic, 'operator' | 'left' | 'right' | 'type'>,
): (a: Value, b: Value) => Value {
  const { operator } = node;
  const [left, right] = [node.left.type, node.right.type];
  if (isMoment(left)) return momentArithmetic(operator, left, right);
  const whole = isWholeType(left) && isWholeType(right);
  const infinite = hasInfinity(node.type) && operator !== 'mod';
  return (a, b) => {
    const result = compute(operator, Number(a), Number(b), whole);
    return Number.isNaN(result) || (!infinite && !Number.isFinite(result)) ? null : result;
  };
}

/** In doubles, as the SQL does; NaN for a division by zero. */
function compute(operator: ArithmeticOperator, a: number, b: number, whole: boolean): number {
  let result: number;
  switch (operator) {
    case 'add':
      result = a + b;
      break;
    case 'sub':
      result = a - b;
      break;
    case 'mul':
      result = a * b;
      break;
    case 'div':
      result = b === 0 ? Number.NaN : whole ? Math.trunc(a / b) : a / b;
      break;
    case 'divby':
      result = b === 0 ? Number.NaN : a / b;
      break;
    case 'mod':
      // Not %: SQL has no exact remainder of doubles everywhere, and this is the same in all.
      result = b === 0 ? Number.NaN : a - b * Math.trunc(a / b);
      break;
  }
  return result;
}

const isMoment = (type: string): boolean => type === 'Edm.DateTimeOffset' || type === 'Edm.Date';
const midnight = (type: string, value: Value): string =>
  type === 'Edm.Date' ? `${value}T00:00:00` : (value as string);

/** A moment moved by a duration, or the seconds between two moments. */
function momentArithmetic(operator: ArithmeticOperator, left: string, right: string): (a: Value, b: Value) => Value {
  if (isMoment(right)) return (a, b) => secondsBetween(midnight(left, a), midnight(right, b));
  const sign = operator === 'sub' ? -1 : 1;
  return (a, b) => {
    const moved = addSeconds(midnight(left, a), sign * Number(b)) ?? null;
    return left === 'Edm.Date' && moved !== null ? moved.slice(0, 10) : moved;
  };
}
