import type { ArithmeticOperator } from './ast.ts';
import type { BoundArithmetic, BoundCall, BoundConstant, BoundFunction, Value } from './bound-ast.ts';
import { addSeconds, secondsBetween } from './date-time.ts';
import { hasInfinity, isWholeType } from './model.ts';
import { compilePattern } from './pattern.ts';
import { indexOfText, substring, textLength } from './values.ts';

/** Returns the operator as a function of two values that are not null. */
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

/** Computes in doubles, like the SQL. A division by zero is NaN. */
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
      // Not %, because not every SQL dialect has an exact remainder of doubles.
      result = b === 0 ? Number.NaN : a - b * Math.trunc(a / b);
      break;
  }
  return result;
}

const isMoment = (type: string): boolean => type === 'Edm.DateTimeOffset' || type === 'Edm.Date';
const midnight = (type: string, value: Value): string =>
  type === 'Edm.Date' ? `${value}T00:00:00` : (value as string);

/** Returns a function that moves a date by a duration, or that returns the seconds between two dates. */
function momentArithmetic(operator: ArithmeticOperator, left: string, right: string): (a: Value, b: Value) => Value {
  if (isMoment(right)) return (a, b) => secondsBetween(midnight(left, a), midnight(right, b));
  const sign = operator === 'sub' ? -1 : 1;
  return (a, b) => {
    const moved = addSeconds(midnight(left, a), sign * Number(b)) ?? null;
    return left === 'Edm.Date' && moved !== null ? moved.slice(0, 10) : moved;
  };
}

type CanonicalFunction = (a: Value, b?: Value, c?: Value) => Value;

/** Returns the function of a call. Its arguments are never null. */
export function canonicalFunction({ name, arguments: args }: BoundCall): CanonicalFunction {
  if (name !== 'matchespattern') return functions[name];
  const matches = compilePattern((args[1] as BoundConstant).value as string);
  return (text) => matches(text as string);
}

/** Erases the types of the arguments, which binding has checked. */
const define = (run: (a: never, b: never, c: never) => Value): CanonicalFunction => run as never;
const clockAt = (moment: string): number => (moment.charAt(10) === 'T' ? 11 : 0);

const functions: Record<Exclude<BoundFunction, 'matchespattern'>, (a: Value, b?: Value, c?: Value) => Value> = {
  concat: define((a: string, b: string) => a + b),
  contains: define((a: string, b: string) => a.includes(b)),
  endswith: define((a: string, b: string) => a.endsWith(b)),
  startswith: define((a: string, b: string) => a.startsWith(b)),
  indexof: define(indexOfText),
  length: define(textLength),
  substring: define(substring),
  tolower: define((a: string) => a.toLowerCase()),
  toupper: define((a: string) => a.toUpperCase()),
  trim: define((a: string) => a.trim()),
  year: define((a: string) => Number(a.slice(0, 4))),
  month: define((a: string) => Number(a.slice(5, 7))),
  day: define((a: string) => Number(a.slice(8, 10))),
  hour: define((a: string) => Number(a.slice(clockAt(a), clockAt(a) + 2))),
  minute: define((a: string) => Number(a.slice(clockAt(a) + 3, clockAt(a) + 5))),
  second: define((a: string) => Number(a.slice(clockAt(a) + 6, clockAt(a) + 8))),
  fractionalseconds: define((a: string) => Number(`0${a.slice(clockAt(a) + 8)}`)),
  date: define((a: string) => a.slice(0, 10)),
  time: define((a: string) => a.slice(11)),
  totalseconds: define((a: number) => a),
  round: define(roundHalfAway),
  floor: define(Math.floor),
  ceiling: define(Math.ceil),
  text: define(String),
  double: define(Number),
};

/** Rounds half away from zero, like SQLite. From 2^52 on, every double is whole. */
function roundHalfAway(value: number): number {
  if (Math.abs(value) >= 2 ** 52) return value;
  return Math.trunc(value + (value < 0 ? -0.5 : 0.5));
}
