import type { ComparisonOperator } from './ast.ts';
import type { BoundCall, BoundCollection, BoundExpression, BoundProperty, BoundQuery, Value } from './bound-ast.ts';
import { arithmetic, canonicalFunction } from './compute.ts';
import type { PrimitiveType } from './model.ts';
import { compareValues, equalValues, orderValues, reader, setKey } from './values.ts';

/** Returns `$filter` as a test of plain objects. Without `$filter`, the test is always true. */
export function toPredicate<Row extends object = object>(query: Pick<BoundQuery, 'filter'>): (row: Row) => boolean {
  if (query.filter === undefined) return () => true;
  const evaluate = compileExpression(query.filter);
  return (row) => evaluate([row]) === true;
}

/** Returns `$orderby` as a comparator for `Array.prototype.sort`. Null sorts first, or last if descending. */
export function toComparator<Row extends object = object>(
  query: Pick<BoundQuery, 'orderby'>,
): (a: Row, b: Row) => number {
  const keys = query.orderby.map(({ expression, descending }) => ({
    evaluate: compileExpression(expression),
    sign: descending ? -1 : 1,
  }));
  return (a, b) => {
    for (const { evaluate, sign } of keys) {
      const order = orderValues(evaluate([a]), evaluate([b]));
      // NaN means no order, which is a tie.
      if (order) return order * sign;
    }
    return 0;
  };
}

/** The value of each variable. Variable 0 is the row. */
export type Environment = unknown[];
export type Evaluator = (environment: Environment) => Value;

/** Compiles a bound expression to a function. */
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
      const values = new Set<Value>(node.values.map(setKey));
      return (environment) => {
        const value = left(environment);
        return value === null ? hasNull : values.has(setKey(value));
      };
    }
    case 'arithmetic':
      return compileBinary(node.left, node.right, arithmetic(node));
    case 'negate': {
      const operand = compileExpression(node.operand);
      return (environment) => {
        const value = operand(environment);
        return value === null ? null : -Number(value);
      };
    }
    case 'call':
      return compileCall(node);
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

/** Compiles three-valued logic. False decides `and`, true decides `or`. Otherwise null makes the result null. */
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

/** Compiles a comparison (OData Part 2, 5.1.1.1). Null equals only null, and gt and lt with null are false. */
function compileComparison(operator: ComparisonOperator, left: Evaluator, right: Evaluator): Evaluator {
  switch (operator) {
    case 'eq':
      return (environment) => equalValues(left(environment), right(environment));
    case 'ne':
      return (environment) => !equalValues(left(environment), right(environment));
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

/** Compiles a function of two operands. A null operand makes the result null. */
function compileBinary(left: BoundExpression, right: BoundExpression, run: (a: Value, b: Value) => Value): Evaluator {
  const [first, second] = [compileExpression(left), compileExpression(right)];
  return (environment) => {
    const a = first(environment);
    const b = second(environment);
    return a === null || b === null ? null : run(a, b);
  };
}

/** Compiles a call. A null argument makes the result null (OData Part 2, 5.1.1.4). */
function compileCall(node: BoundCall): Evaluator {
  const run = canonicalFunction(node);
  const [first, second, third] = node.arguments;
  if (third === undefined) {
    if (second !== undefined) return compileBinary(first!, second, run);
    const argument = compileExpression(first!);
    return (environment) => {
      const a = argument(environment);
      return a === null ? null : run(a);
    };
  }
  const [one, two, three] = [compileExpression(first!), compileExpression(second!), compileExpression(third)];
  return (environment) => {
    const [a, b, c] = [one(environment), two(environment), three(environment)];
    return a === null || b === null || c === null ? null : run(a, b, c);
  };
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
  const follow = follower(path);
  return (environment) => {
    const value = follow(environment[variable]);
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
  if (path.length === 1 && !(path[0]! in Object.prototype)) {
    const name = path[0]!;
    return (environment) => read((environment[variable] as Record<string, unknown> | null | undefined)?.[name]);
  }
  const follow = follower(path);
  return (environment) => read(follow(environment[variable]));
}

type Follow = (from: unknown) => unknown;

/** Returns a function that reads the property at a path, or undefined when a part of the path is missing. */
function follower(path: readonly string[]): Follow {
  if (path.some((name) => name in Object.prototype)) return (from) => path.reduce(ownProperty, from);
  return (from) => {
    let value = from;
    for (const name of path) value = (value as Record<string, unknown> | null | undefined)?.[name];
    return value;
  };
}

/** Reads an own property, because every object inherits names such as `constructor`. */
const ownProperty = (from: unknown, name: string): unknown =>
  Object(from) === from && Object.hasOwn(from as object, name) ? (from as Record<string, unknown>)[name] : undefined;
