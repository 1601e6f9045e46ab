import type { ArithmeticOperator, ComparisonOperator } from './ast.ts';
import type { BoundCollection, BoundExpression, BoundFunction, BoundProperty, Value } from './bound-ast.ts';
import {
  addSeconds,
  canonicalDate,
  canonicalDateTime,
  canonicalTime,
  durationSeconds,
  secondsBetween,
} from './date-time.ts';
import type { PrimitiveType } from './model.ts';
import { compilePattern } from './pattern.ts';
import { compareText, indexOfText, substring, textLength } from './text.ts';

/** What each variable of the tree stands for now; 0 is the row. */
export type Environment = unknown[];
export type Evaluator = (environment: Environment) => Value;

/** Compiles a bound expression to a function, so that a row costs no walk over the tree. */
export function compileExpression(node: BoundExpression): Evaluator {
  switch (node.kind) {
    case 'constant': {
      const { value } = node;
      return () => value;
    }
    case 'property':
      return compileProperty(node);
    case 'variable': {
      const read = reader(node.type as PrimitiveType);
      return (environment) => read(environment[node.variable]);
    }
    case 'and':
      return compileLogical(node.operands.map(compileExpression), false);
    case 'or':
      return compileLogical(node.operands.map(compileExpression), true);
    case 'not': {
      const operand = compileExpression(node.operand);
      return (environment) => {
        const value = operand(environment);
        return value === null ? null : value === false;
      };
    }
    case 'compare':
      return compileComparison(node.operator, compileExpression(node.left), compileExpression(node.right));
    case 'in': {
      const left = compileExpression(node.left);
      const { hasNull } = node;
      const values = new Set<Value>(node.values.map(comparable));
      return (environment) => {
        const value = left(environment);
        return value === null ? hasNull : values.has(comparable(value));
      };
    }
    case 'arithmetic':
      return compileArithmetic(node.operator, node.left, node.right);
    case 'negate': {
      const operand = compileExpression(node.operand);
      return (environment) => {
        const value = operand(environment);
        return value === null ? null : -Number(value);
      };
    }
    case 'call':
      return compileCall(node.name, node.arguments);
    case 'case': {
      const branches = node.branches.map(({ condition, value }) => ({
        condition: compileExpression(condition),
        value: compileExpression(value),
      }));
      return (environment) => {
        for (const branch of branches) if (branch.condition(environment) === true) return branch.value(environment);
        return null;
      };
    }
    case 'any':
    case 'all':
      return compileLambda(node.kind, node.collection, node.predicate);
    case 'count': {
      const items = compileCollection(node.collection);
      return (environment) => items(environment).length;
    }
  }
}

/** A bigint and a number of equal value must meet in a Set. */
const comparable = (value: Value): Value =>
  typeof value === 'bigint' && value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
    ? Number(value)
    : value;

/** Three-valued: `and` is decided by false, `or` by true; a null makes the rest null. */
function compileLogical(operands: readonly Evaluator[], decisive: boolean): Evaluator {
  return (environment) => {
    let result: boolean | null = !decisive;
    for (const operand of operands) {
      const value = operand(environment);
      if (value === decisive) return decisive;
      if (value === null) result = null;
    }
    return result;
  };
}

/** OData Part 2, 5.1.1.1: null equals only null; gt and lt with null are false; ge and le are gt or eq, lt or eq. */
function compileComparison(operator: ComparisonOperator, left: Evaluator, right: Evaluator): Evaluator {
  switch (operator) {
    case 'eq':
      return (environment) => equal(left(environment), right(environment));
    case 'ne':
      return (environment) => !equal(left(environment), right(environment));
    case 'gt':
      return (environment) => compareValues(left(environment), right(environment)) > 0;
    case 'ge':
      return (environment) => compareValues(left(environment), right(environment)) >= 0;
    case 'lt':
      return (environment) => compareValues(left(environment), right(environment)) < 0;
    case 'le':
      return (environment) => compareValues(left(environment), right(environment)) <= 0;
  }
}

function equal(a: Value, b: Value): boolean {
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint equals the number of the same value
  return a === b || (typeof a === 'bigint' || typeof b === 'bigint' ? a !== null && b !== null && a == b : false);
}

/** Order of two values of one type; NaN (no order) where just one is null. */
function compareValues(a: Value, b: Value): number {
  if (a === null || b === null) return a === b ? 0 : Number.NaN;
  if (typeof a === 'string') return compareText(a, b as string);
  return a < b ? -1 : a > b ? 1 : equal(a, b) ? 0 : Number.NaN;
}

/** For $orderby: null first, then the order of values. */
export function orderValues(a: Value, b: Value): number {
  if (a === null) return b === null ? 0 : -1;
  return b === null ? 1 : compareValues(a, b);
}

function compileArithmetic(
  operator: ArithmeticOperator,
  leftNode: BoundExpression,
  rightNode: BoundExpression,
): Evaluator {
  const left = compileExpression(leftNode);
  const right = compileExpression(rightNode);
  const whole = isWhole(leftNode.type) && isWhole(rightNode.type);
  if (isMoment(leftNode.type)) return compileMomentArithmetic(operator, leftNode.type, left, right, rightNode.type);
  return (environment) => {
    const a = left(environment);
    const b = right(environment);
    return a === null || b === null ? null : compute(operator, Number(a), Number(b), whole);
  };
}

/** In doubles, as the SQL does; a division by zero and whatever is no number give null. */
function compute(operator: ArithmeticOperator, a: number, b: number, whole: boolean): number | null {
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
  return Number.isNaN(result) ? null : result;
}

const isWhole = (type: string): boolean => type === 'Edm.Int64' || type === 'Edm.Int32' || type === 'Edm.Int16';
const isMoment = (type: string): boolean => type === 'Edm.DateTimeOffset' || type === 'Edm.Date';

function compileMomentArithmetic(
  operator: ArithmeticOperator,
  type: string,
  left: Evaluator,
  right: Evaluator,
  rightType: string,
): Evaluator {
  return (environment) => {
    const a = left(environment) as string | null;
    const b = right(environment);
    if (a === null || b === null) return null;
    const moment = type === 'Edm.Date' ? `${a}T00:00:00` : a;
    if (isMoment(rightType)) return secondsBetween(moment, rightType === 'Edm.Date' ? `${b}T00:00:00` : (b as string));
    const moved = addSeconds(moment, operator === 'sub' ? -(b as number) : (b as number)) ?? null;
    return type === 'Edm.Date' && moved !== null ? moved.slice(0, 10) : moved;
  };
}

function compileCall(name: BoundFunction, nodes: readonly BoundExpression[]): Evaluator {
  const run = name === 'matchespattern' ? patternFunction(nodes[1]!) : functions[name];
  const [first, second, third] = nodes.map(compileExpression);
  // A null argument makes the result null (OData Part 2, 5.1.1.4).
  if (second === undefined) {
    return (environment) => {
      const a = first!(environment);
      return a === null ? null : run(a);
    };
  }
  return (environment) => {
    const a = first!(environment);
    const b = second(environment);
    const c = third === undefined ? undefined : third(environment);
    return a === null || b === null || c === null ? null : run(a, b, c);
  };
}

type Function3 = (a: never, b: never, c: never) => Value;
const define = (run: Function3): ((a: Value, b?: Value, c?: Value) => Value) => run as never;
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
  floor: define((a: number) => Math.floor(Number(a))),
  ceiling: define((a: number) => Math.ceil(Number(a))),
  text: define(String),
};

/** Half away from zero, computed as SQLite does; from 2^52 on every double is whole. */
function roundHalfAway(value: number): number {
  const number = Number(value);
  return Math.abs(number) >= 2 ** 52 ? number : Math.trunc(number + (number < 0 ? -0.5 : 0.5));
}

function patternFunction(pattern: BoundExpression): (text: Value) => Value {
  const matches = compilePattern((pattern as { value: string }).value);
  return (text) => matches(text as string);
}

function compileLambda(
  kind: 'any' | 'all',
  collection: BoundCollection,
  predicate: BoundExpression | undefined,
): Evaluator {
  const items = compileCollection(collection);
  if (predicate === undefined) return (environment) => items(environment).length > 0;
  const test = compileExpression(predicate);
  const wanted = kind === 'any';
  return (environment) => {
    for (const item of items(environment)) {
      environment[collection.element] = item;
      if ((test(environment) === true) === wanted) return wanted;
    }
    return !wanted;
  };
}

function compileCollection({ variable, path, element, predicate }: BoundCollection): (e: Environment) => unknown[] {
  const test = predicate === undefined ? undefined : compileExpression(predicate);
  return (environment) => {
    const value = follow(environment[variable], path);
    const items = Array.isArray(value) ? value : [];
    if (test === undefined) return items;
    return items.filter((item) => {
      environment[element] = item;
      return test(environment) === true;
    });
  };
}

function compileProperty(node: BoundProperty): Evaluator {
  const { variable, path } = node;
  const read = reader(node.type as PrimitiveType);
  if (path.length === 1) {
    const name = path[0]!;
    return (environment) => read((environment[variable] as Record<string, unknown> | null | undefined)?.[name]);
  }
  return (environment) => read(follow(environment[variable], path));
}

function follow(from: unknown, path: readonly string[]): unknown {
  let value = from;
  for (const name of path) value = (value as Record<string, unknown> | null | undefined)?.[name];
  return value;
}

/** Reads a value of plain data into its canonical form. */
function reader(type: PrimitiveType): (value: unknown) => Value {
  switch (type) {
    case 'Edm.DateTimeOffset':
      return (value) =>
        typeof value === 'string' && isPlainDateTime(value) ? value : readText(value, canonicalDateTime);
    case 'Edm.Date':
      return (value) => readText(value, canonicalDate);
    case 'Edm.TimeOfDay':
      return (value) => readText(value, canonicalTime);
    case 'Edm.Duration':
      return (value) => (typeof value === 'number' ? value : readText(value, durationSeconds));
    case 'Edm.Guid':
      return (value) => readText(value, (text) => text.toLowerCase());
    default:
      return (value) => (value === undefined ? null : (value as Value));
  }
}

/** `YYYY-MM-DDTHH:MM:SS`, as most stored values are: nothing to convert. */
const isPlainDateTime = (text: string): boolean => text.length === 19 && text.charCodeAt(10) === 84;

function readText<T extends Value>(value: unknown, canonical: (text: string) => T | undefined): T | null {
  if (value === null || value === undefined) return null;
  return canonical(value instanceof Date ? value.toISOString() : String(value)) ?? null;
}
