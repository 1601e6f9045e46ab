import type { ArithmeticOperator, ComparisonOperator } from './ast.ts';
import { didYouMean } from './did-you-mean.ts';
import { ODataError } from './odata-error.ts';

export type BinaryOperator = ComparisonOperator | ArithmeticOperator | 'has' | 'in' | 'and' | 'or';

/** Precedence of operators (OData Part 2, 5.1.1.17). A higher number binds more tightly. */
export const precedence: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ...{ or: 1, and: 2, eq: 3, ne: 3, gt: 4, ge: 4, lt: 4, le: 4 },
    ...{ add: 5, sub: 5, mul: 6, div: 6, divby: 6, mod: 6, has: 8, in: 8 },
  } satisfies Record<BinaryOperator, number>),
);
export const unaryPrecedence = 7;

export const operatorNames: readonly string[] = [...precedence.keys()];

export const isOperator = (word: string): boolean => precedence.has(word.toLowerCase());

/** Minimum and maximum number of arguments of each canonical function (OData Part 2, 5.1.1.5 to 5.1.1.12). */
export const methods: ReadonlyMap<string, readonly [min: number, max: number]> = new Map<string, [number, number]>([
  ...['concat', 'contains', 'endswith', 'indexof', 'startswith'].map(two),
  ...['hassubset', 'hassubsequence', 'geo.distance', 'geo.intersects'].map(two),
  ...['length', 'tolower', 'toupper', 'trim', 'round', 'floor', 'ceiling', 'geo.length'].map(one),
  ...['year', 'month', 'day', 'hour', 'minute', 'second', 'fractionalseconds', 'totalseconds'].map(one),
  ...['date', 'time', 'totaloffsetminutes'].map(one),
  ['substring', [2, 3]],
  ['matchespattern', [2, 3]],
  ['mindatetime', [0, 0]],
  ['maxdatetime', [0, 0]],
  ['now', [0, 0]],
]);

function one(name: string): [string, [number, number]] {
  return [name, [1, 1]];
}

function two(name: string): [string, [number, number]] {
  return [name, [2, 2]];
}

const special = new Set(['cast', 'isof', 'case']);

export function isMethod(word: string): boolean {
  if (methods.has(word) || special.has(word)) return true;
  const lower = word.toLowerCase();
  return lower !== word && (methods.has(lower) || special.has(lower));
}

export const methodNames: readonly string[] = [...methods.keys(), ...special];

/** Returns the canonical function with the most similar name. */
export const nearFunction = (name: string): string | undefined => didYouMean(name, methodNames);

export function unknownFunction(name: string, offset: number): never {
  const suggestion = nearFunction(name);
  const hint = suggestion === undefined ? '.' : `: did you mean ${suggestion}?`;
  throw new ODataError('unknown_function', `There is no function ${name}${hint}`, { offset, didYouMean: suggestion });
}
