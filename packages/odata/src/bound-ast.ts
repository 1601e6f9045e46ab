import type { ArithmeticOperator, ComparisonOperator } from './ast.ts';
import type { PrimitiveType } from './model.ts';

/**
 * A value of an expression. Dates, times and guids are canonical text (see `date-time.ts`), and durations are seconds.
 * `bigint` is used only for whole numbers that a double cannot represent.
 */
export type Value = null | boolean | number | bigint | string;

/** A bound expression: names are resolved, types checked, and constants computed. */
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

/** A literal, or a value computed from constants. */
export interface BoundConstant extends Typed {
  readonly kind: 'constant';
  readonly value: Value;
}

/** A property of the row `variable`. `path` contains single-valued complex properties and the property. */
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

/** A chain of conditions, with three-valued logic. */
export interface BoundLogical extends Typed {
  readonly kind: 'and' | 'or';
  readonly operands: readonly BoundExpression[];
}

/** The negation of a condition. Null stays null. */
export interface BoundNot extends Typed {
  readonly kind: 'not';
  readonly operand: BoundExpression;
}

/** A comparison of two values of one type. The result is never null. */
export interface BoundCompare extends Typed {
  readonly kind: 'compare';
  readonly operator: ComparisonOperator;
  readonly left: BoundExpression;
  readonly right: BoundExpression;
}

/** `in` with a list. `values` excludes null. `hasNull` is true if the list contains null. */
export interface BoundIn extends Typed {
  readonly kind: 'in';
  readonly left: BoundExpression;
  readonly values: readonly Exclude<Value, null>[];
  readonly hasNull: boolean;
}

/** Arithmetic in doubles. Null if an operand is null or a divisor is zero. */
export interface BoundArithmetic extends Typed {
  readonly kind: 'arithmetic';
  readonly operator: ArithmeticOperator;
  readonly left: BoundExpression;
  readonly right: BoundExpression;
}

/** The negation of a number or duration. */
export interface BoundNegate extends Typed {
  readonly kind: 'negate';
  readonly operand: BoundExpression;
}

/** A function call. Null if an argument is null. */
export interface BoundCall extends Typed {
  readonly kind: 'call';
  readonly name: BoundFunction;
  readonly arguments: readonly BoundExpression[];
}

/** The supported functions. `text` is a cast to Edm.String, and `double` a conversion to the nearest double. */
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

/** The value of the first condition that is true, or null. */
export interface BoundCase extends Typed {
  readonly kind: 'case';
  readonly branches: readonly { readonly condition: BoundExpression; readonly value: BoundExpression }[];
}

/** The elements of a collection. `element` is the variable of an element, and `predicate` a preceding `/$filter(…)`. */
export interface BoundCollection {
  readonly variable: number;
  readonly path: readonly string[];
  readonly element: number;
  /** Name of the element's type, primitive or not. */
  readonly elementType: string;
  readonly predicate: BoundExpression | undefined;
}

/** `any` or `all`. Without a predicate, `any` is true for a collection that is not empty. */
export interface BoundLambda extends Typed {
  readonly kind: 'any' | 'all';
  readonly collection: BoundCollection;
  readonly predicate: BoundExpression | undefined;
}

/** The number of elements. */
export interface BoundCount extends Typed {
  readonly kind: 'count';
  readonly collection: BoundCollection;
}

/** One term of `$orderby`. */
export interface BoundOrder {
  readonly expression: BoundExpression;
  readonly descending: boolean;
}

/** One selected property. `select` lists the selected parts of a structured property. */
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

/** A query that has been checked against its model. */
export interface BoundQuery {
  /** Name of the type that the query applies to. */
  readonly type: string;
  readonly filter: BoundExpression | undefined;
  readonly orderby: readonly BoundOrder[];
  /** Undefined for all properties. */
  readonly select: readonly BoundSelect[] | undefined;
  readonly expand: readonly BoundExpand[];
  readonly top: number | undefined;
  readonly skip: number | undefined;
  readonly count: boolean;
}
