import type { ArithmeticOperator, ComparisonOperator } from './ast.ts';
import type { PrimitiveType } from './model.ts';

/**
 * A value while a query runs. Dates, times and guids are text in one canonical form (see `date-time.ts`),
 * durations are seconds; `bigint` holds only whole numbers that a double cannot.
 */
export type Value = null | boolean | number | bigint | string;

/** The tree that binding gives: names resolved, types checked, constants computed. */
export type BoundExpression =
  | BoundConstant
  | BoundProperty
  | BoundVariable
  | BoundLogical
  | BoundNot
  | BoundCompare
  | BoundIn
  | BoundArithmetic
  | BoundNegate
  | BoundCall
  | BoundCase
  | BoundLambda
  | BoundCount;

interface Typed {
  readonly type: PrimitiveType | 'null';
  /** Whether the value can be null. */
  readonly nullable: boolean;
}

/** A literal, or what constants come to. */
export interface BoundConstant extends Typed {
  readonly kind: 'constant';
  readonly value: Value;
}

/** A property of the row that `variable` stands for; `path` leads through single-valued complex properties. */
export interface BoundProperty extends Typed {
  readonly kind: 'property';
  readonly variable: number;
  readonly path: readonly string[];
}

/** The element itself, in a collection of primitive values. */
export interface BoundVariable extends Typed {
  readonly kind: 'variable';
  readonly variable: number;
}

/** A chain of conditions; three-valued. */
export interface BoundLogical extends Typed {
  readonly kind: 'and' | 'or';
  readonly operands: readonly BoundExpression[];
}

/** The opposite of a condition; null stays null. */
export interface BoundNot extends Typed {
  readonly kind: 'not';
  readonly operand: BoundExpression;
}

/** A comparison, true or false, never null; both sides have one type. */
export interface BoundCompare extends Typed {
  readonly kind: 'compare';
  readonly operator: ComparisonOperator;
  readonly left: BoundExpression;
  readonly right: BoundExpression;
}

/** `values` holds no null; `hasNull` says that null is in the list. */
export interface BoundIn extends Typed {
  readonly kind: 'in';
  readonly left: BoundExpression;
  readonly values: readonly Exclude<Value, null>[];
  readonly hasNull: boolean;
}

/** Computed in doubles; null where an operand is null or a divisor zero. */
export interface BoundArithmetic extends Typed {
  readonly kind: 'arithmetic';
  readonly operator: ArithmeticOperator;
  readonly left: BoundExpression;
  readonly right: BoundExpression;
}

/** A number or duration with its sign turned. */
export interface BoundNegate extends Typed {
  readonly kind: 'negate';
  readonly operand: BoundExpression;
}

/** A function; null where an argument is null. */
export interface BoundCall extends Typed {
  readonly kind: 'call';
  readonly name: BoundFunction;
  readonly arguments: readonly BoundExpression[];
}

/** The functions that all engines run; `text` is a cast to Edm.String, `double` gives the nearest double. */
export type BoundFunction =
  | 'concat'
  | 'contains'
  | 'endswith'
  | 'startswith'
  | 'indexof'
  | 'length'
  | 'substring'
  | 'tolower'
  | 'toupper'
  | 'trim'
  | 'matchespattern'
  | 'year'
  | 'month'
  | 'day'
  | 'hour'
  | 'minute'
  | 'second'
  | 'fractionalseconds'
  | 'date'
  | 'time'
  | 'totalseconds'
  | 'round'
  | 'floor'
  | 'ceiling'
  | 'text'
  | 'double';

/** The value of the first condition that is true, else null. */
export interface BoundCase extends Typed {
  readonly kind: 'case';
  readonly branches: readonly { readonly condition: BoundExpression; readonly value: BoundExpression }[];
}

/** The elements of a collection, each of which `element` stands for. `predicate` is a `/$filter(…)` before. */
export interface BoundCollection {
  readonly variable: number;
  readonly path: readonly string[];
  readonly element: number;
  /** Name of the element's type, primitive or not. */
  readonly elementType: string;
  readonly predicate: BoundExpression | undefined;
}

/** Whether the predicate is true for an element, or for all; without one, whether there is any. */
export interface BoundLambda extends Typed {
  readonly kind: 'any' | 'all';
  readonly collection: BoundCollection;
  readonly predicate: BoundExpression | undefined;
}

/** How many elements there are. */
export interface BoundCount extends Typed {
  readonly kind: 'count';
  readonly collection: BoundCollection;
}

/** One term of `$orderby`. */
export interface BoundOrder {
  readonly expression: BoundExpression;
  readonly descending: boolean;
}

/** One selected property; `select` narrows a structured one. */
export interface BoundSelect {
  readonly property: string;
  readonly select: readonly BoundSelect[] | undefined;
}

/** One expanded property. */
export interface BoundExpand {
  readonly property: string;
  /** The options in the item's parentheses, bound to the property's type. */
  readonly query: BoundQuery;
}

/** A query that fits its model. */
export interface BoundQuery {
  /** Name of the type it is bound to. */
  readonly type: string;
  readonly filter: BoundExpression | undefined;
  readonly orderby: readonly BoundOrder[];
  /** Undefined: all properties, also for `*`. */
  readonly select: readonly BoundSelect[] | undefined;
  readonly expand: readonly BoundExpand[];
  readonly top: number | undefined;
  readonly skip: number | undefined;
  readonly count: boolean;
}
