import type { ArithmeticOperator, ComparisonOperator } from './ast.ts';

export type BinaryOperator = ComparisonOperator | ArithmeticOperator | 'has' | 'in' | 'and' | 'or';

/** OData Part 2, 5.1.1.17: the higher binds the tighter; `not` and `-` stand between `has` and `mul`. */
export const precedence: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ...{ or: 1, and: 2, eq: 3, ne: 3, gt: 4, ge: 4, lt: 4, le: 4 },
    ...{ add: 5, sub: 5, mul: 6, div: 6, divby: 6, mod: 6, has: 8, in: 8 },
  } satisfies Record<BinaryOperator, number>),
);
export const unaryPrecedence = 7;

export const operatorNames: readonly string[] = [...precedence.keys()];

export const isOperator = (word: string): boolean => precedence.has(word.toLowerCase());
