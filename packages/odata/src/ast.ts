/**
 * The syntax tree of an expression, before names are resolved against a model.
 * Nodes are read-only. `offset` and `end` are UTF-16 offsets into the decoded text of their option.
 */
export type Expression =
  | Literal
  | LogicalExpression
  | NotExpression
  | BinaryExpression
  | InExpression
  | NegateExpression
  | MethodCall
  | CastExpression
  | CaseExpression
  | PathExpression
  | ArrayExpression
  | ObjectExpression;

interface Node {
  readonly offset: number;
  readonly end: number;
}

/** The syntax of a literal. Binding can convert it to another type. */
export type LiteralType =
  | 'null'
  | 'Edm.Boolean'
  | 'Edm.Int64'
  | 'Edm.Decimal'
  | 'Edm.Double'
  | 'Edm.String'
  | 'Edm.Guid'
  | 'Edm.Date'
  | 'Edm.DateTimeOffset'
  | 'Edm.TimeOfDay'
  | 'Edm.Duration'
  | 'Edm.Binary'
  | 'Edm.Geography'
  | 'Edm.Geometry'
  | 'enum';

/**
 * A primitive literal. `Edm.Int64` is any whole number, `Edm.Decimal` a number with a point or an exponent, and
 * `Edm.Double` INF, -INF or NaN.
 */
export interface Literal extends Node {
  readonly kind: 'literal';
  readonly type: LiteralType;
  /** Strings are unescaped. Quoted literals have no prefix and no quotes. All others are unchanged. */
  readonly value: string;
  /** Type name of an enumeration literal. */
  readonly enumType: string | undefined;
}

/** A chain of `and` or `or`. The whole chain is one node, so a long chain is wide and not deep. */
export interface LogicalExpression extends Node {
  readonly kind: 'and' | 'or';
  readonly operands: readonly Expression[];
}

/** The negation of a condition. */
export interface NotExpression extends Node {
  readonly kind: 'not';
  readonly operand: Expression;
}

/** Comparison operators. */
export type ComparisonOperator = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le';
/** Arithmetic operators. */
export type ArithmeticOperator = 'add' | 'sub' | 'mul' | 'div' | 'divby' | 'mod';

/** An operator with two operands. */
export interface BinaryExpression extends Node {
  readonly kind: 'binary';
  readonly operator: ComparisonOperator | ArithmeticOperator | 'has';
  readonly left: Expression;
  readonly right: Expression;
}

/** `x in ('a','b')` has a `list`. `x in Expression` has a `collection`. */
export interface InExpression extends Node {
  readonly kind: 'in';
  readonly left: Expression;
  readonly list: readonly Literal[] | undefined;
  readonly collection: Expression | undefined;
}

/** The sign `-`, except before a number. */
export interface NegateExpression extends Node {
  readonly kind: 'negate';
  readonly operand: Expression;
}

/** A call of a canonical function. `name` is in lower case. */
export interface MethodCall extends Node {
  readonly kind: 'call';
  readonly name: string;
  readonly arguments: readonly Expression[];
}

/** `cast(operand,type)` or `isof(operand,type)`. */
export interface CastExpression extends Node {
  readonly kind: 'cast' | 'isof';
  /** Undefined for the current instance. */
  readonly operand: Expression | undefined;
  readonly type: TypeName;
}

/** The name of a type, or of a collection of the type. */
export interface TypeName extends Node {
  readonly name: string;
  readonly collection: boolean;
}

/** `case(condition:value,…)`. The result is the value of the first condition that is true. */
export interface CaseExpression extends Node {
  readonly kind: 'case';
  readonly branches: readonly { readonly condition: Expression; readonly value: Expression }[];
}

/** A member path. An alias or `$it` alone has no segments. */
export interface PathExpression extends Node {
  readonly kind: 'path';
  readonly root: PathRoot;
  /** Name of the alias, when `root` is `alias`. */
  readonly alias: string | undefined;
  readonly segments: readonly PathSegment[];
}

/** Start of a path. `member` is the name of a property, lambda variable, type or function. */
export type PathRoot = 'member' | '$it' | '$this' | '$root' | 'alias';

/** One step of a path. */
export type PathSegment =
  | NameSegment
  | KeySegment
  | CallSegment
  | LambdaSegment
  | CountSegment
  | FilterSegment
  | AnnotationSegment;

/** A property, lambda variable or (qualified) type name. */
export interface NameSegment extends Node {
  readonly kind: 'name';
  readonly name: string;
}

/** A key: `(1)`, `(@a)` or, as a segment, `/1`. The key after a function can be `(ID=1,Kind=2)`, which is an object. */
export interface KeySegment extends Node {
  readonly kind: 'key';
  readonly value: Expression;
}

/** A call of a custom function, or a key with named parts: `Name(ID=1)`. */
export interface CallSegment extends Node {
  readonly kind: 'function';
  readonly name: string;
  readonly parameters: readonly { readonly name: string; readonly value: Expression }[];
}

/** `any(x:…)` or `all(x:…)`. */
export interface LambdaSegment extends Node {
  readonly kind: 'any' | 'all';
  /** Both undefined for `any()`. */
  readonly variable: string | undefined;
  readonly predicate: Expression | undefined;
}

/** `/$count`, or `/$count($filter=…)`. */
export interface CountSegment extends Node {
  readonly kind: 'count';
  readonly filter: Expression | undefined;
  readonly search: SearchText | undefined;
}

/** `/$filter(…)`: selects the elements for which the condition is true. */
export interface FilterSegment extends Node {
  readonly kind: 'filter';
  readonly predicate: Expression;
}

/** `@Namespace.Term#qualifier`. */
export interface AnnotationSegment extends Node {
  readonly kind: 'annotation';
  readonly name: string;
  readonly qualifier: string | undefined;
}

/** A JSON array. Its items can be expressions. */
export interface ArrayExpression extends Node {
  readonly kind: 'array';
  readonly items: readonly Expression[];
}

/** A JSON object whose values can be expressions, or a key with named parts. */
export interface ObjectExpression extends Node {
  readonly kind: 'object';
  readonly members: readonly { readonly name: string; readonly value: Expression }[];
}

/** One term of `$orderby`. */
export interface OrderbyItem extends Node {
  readonly expression: Expression;
  readonly descending: boolean;
}

/** One item of `$select`: `*`, `Namespace.*`, a property path, or an action or function with its parameter names. */
export interface SelectItem extends Node {
  readonly path: readonly (NameSegment | AnnotationSegment)[];
  readonly star: boolean;
  readonly parameters: readonly string[] | undefined;
  readonly options: NestedOptions | undefined;
}

/** One item of `$expand`. `star` is the final `*`. `suffix` is the final `/$ref` or `/$count`, or the item `$value`. */
export interface ExpandItem extends Node {
  readonly path: readonly (NameSegment | AnnotationSegment)[];
  readonly star: boolean;
  readonly suffix: '$ref' | '$count' | '$value' | undefined;
  readonly options: NestedOptions | undefined;
}

/** One item of `$compute`. */
export interface ComputeItem extends Node {
  readonly expression: Expression;
  readonly name: string;
}

/** The value of `$search`, with checked syntax. */
export interface SearchText extends Node {
  readonly text: string;
}

/** Options in the parentheses of `$expand` and `$select`. */
export interface NestedOptions {
  readonly filter: Expression | undefined;
  readonly search: SearchText | undefined;
  readonly orderby: readonly OrderbyItem[] | undefined;
  readonly select: readonly SelectItem[] | undefined;
  readonly expand: readonly ExpandItem[] | undefined;
  readonly compute: readonly ComputeItem[] | undefined;
  readonly top: number | undefined;
  readonly skip: number | undefined;
  readonly count: boolean | undefined;
  readonly levels: number | 'max' | undefined;
  readonly aliases: ReadonlyMap<string, Expression>;
}

/** All options of one query. Absent options are undefined. */
export interface QueryOptions extends NestedOptions {
  readonly format: string | undefined;
  readonly skiptoken: string | undefined;
  readonly deltatoken: string | undefined;
  readonly id: string | undefined;
  readonly index: number | undefined;
  readonly schemaversion: string | undefined;
  readonly apply: string | undefined;
  /** Custom options, decoded, in the order of the query. */
  readonly custom: readonly (readonly [name: string, value: string])[];
}
