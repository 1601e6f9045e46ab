import type {
  ArithmeticOperator,
  BinaryExpression,
  CaseExpression,
  ComparisonOperator,
  Expression,
  InExpression,
  Literal,
} from './ast.ts';
import { bindCall } from './bind-call.ts';
import { bindCast } from './bind-cast.ts';
import { bindLiteral, constant, literalAs } from './bind-literal.ts';
import { bindPath } from './bind-path.ts';
import { type Binder, categoryOf, isWholeType } from './binder.ts';
import type { BoundConstant, BoundExpression, Value } from './bound-ast.ts';
import { compileExpression } from './evaluate.ts';
import type { PrimitiveType } from './model.ts';
import { ODataError } from './odata-error.ts';

/** Resolves names and checks types of an expression; whatever holds only constants is computed here. */
export function bindExpression(binder: Binder, node: Expression): BoundExpression {
  binder.spend(node.offset);
  switch (node.kind) {
    case 'literal':
      return bindLiteral(node);
    case 'path':
      return bindPath(binder, node);
    case 'and':
    case 'or':
      return joinConditions(
        node.kind,
        node.operands.map((operand) => bindBoolean(binder, operand)),
      );
    case 'not': {
      const operand = bindBoolean(binder, node.operand, 'not binds tighter than eq: write not (…) around it');
      return fold({ kind: 'not', operand, type: 'Edm.Boolean', nullable: operand.nullable }, [operand]);
    }
    case 'binary':
      return bindBinary(binder, node);
    case 'in':
      return bindIn(binder, node);
    case 'negate': {
      const operand = bindExpression(binder, node.operand);
      const { type, nullable } = operand;
      if (!['number', 'duration', 'null'].includes(categoryOf(type))) {
        mismatch(`The sign - needs a number, not ${type}`, node.operand.offset);
      }
      return fold({ kind: 'negate', operand, type, nullable }, [operand]);
    }
    case 'call':
      return bindCall(binder, node);
    case 'cast':
    case 'isof':
      return bindCast(binder, node);
    case 'case':
      return bindCase(binder, node);
    case 'array':
    case 'object':
      return binder.unsupported(`A JSON ${node.kind} in an expression`, node.offset);
  }
}

/** Constants decide a chain or drop out of it. */
export function joinConditions(kind: 'and' | 'or', conditions: readonly BoundExpression[]): BoundExpression {
  const decisive = kind === 'or';
  if (conditions.some((condition) => isConstant(condition, decisive))) return constant('Edm.Boolean', decisive);
  const operands = conditions.filter((condition) => !isConstant(condition, !decisive));
  if (operands.length === 0) return constant('Edm.Boolean', !decisive);
  if (operands.length === 1) return operands[0]!;
  return fold({ kind, operands, type: 'Edm.Boolean', nullable: operands.some(isNullable) }, operands);
}

/** An expression that must be a condition. */
export function bindBoolean(binder: Binder, node: Expression, hint?: string): BoundExpression {
  const bound = bindExpression(binder, node);
  if (bound.type !== 'Edm.Boolean' && bound.type !== 'null') {
    mismatch(`Expected a condition, found ${bound.type}${hint === undefined ? '' : ` (${hint})`}`, node.offset);
  }
  return bound;
}

export const isNullable = (node: BoundExpression): boolean => node.nullable;

export function mismatch(message: string, offset: number): never {
  throw new ODataError('type_mismatch', `${message}.`, { offset });
}

/** The node itself, or its value where all it rests on are constants. */
export function fold(node: BoundExpression, operands: readonly BoundExpression[]): BoundExpression {
  for (const operand of operands) if (operand.kind !== 'constant') return node;
  return constant(node.type, compileExpression(node)([]));
}

function bindBinary(binder: Binder, node: BinaryExpression): BoundExpression {
  switch (node.operator) {
    case 'has':
      return binder.unsupported('has, since the model has no enumerations,', node.offset);
    case 'eq':
    case 'ne':
    case 'gt':
    case 'ge':
    case 'lt':
    case 'le':
      return bindComparison(binder, node);
    default:
      return bindArithmetic(binder, node);
  }
}

function bindComparison(binder: Binder, node: BinaryExpression): BoundExpression {
  const operator = node.operator as ComparisonOperator;
  const [left, right] = unify(
    [bindExpression(binder, node.left), bindExpression(binder, node.right)],
    [node.left, node.right],
  ) as [BoundExpression, BoundExpression];
  const known = knownComparison(operator, left, right);
  if (known !== undefined) return constant('Edm.Boolean', known);
  return fold({ kind: 'compare', operator, left, right, type: 'Edm.Boolean', nullable: false }, [left, right]);
}

/** Comparisons with null and NaN that hold, or do not, whatever the row: SQL never sees them. */
function knownComparison(
  operator: ComparisonOperator,
  left: BoundExpression,
  right: BoundExpression,
): boolean | undefined {
  if (isConstant(left, Number.NaN) || isConstant(right, Number.NaN)) return operator === 'ne';
  if (!isConstant(left, null) && !isConstant(right, null)) return undefined;
  if (operator === 'gt' || operator === 'lt') return false;
  const other = isConstant(left, null) ? right : left;
  return other.nullable ? undefined : operator === 'ne';
}

const isConstant = (node: BoundExpression, value: Value): boolean =>
  node.kind === 'constant' && Object.is(node.value, value);

/** Brings expressions to one type so that they can be compared, or says at which of them they differ. */
export function unify(bound: readonly BoundExpression[], nodes: readonly Expression[]): BoundExpression[] {
  const anchor = bound.find((node) => node.kind !== 'constant') ?? bound.find((node) => node.type !== 'null');
  if (anchor === undefined) return [...bound];
  const type = anchor.type as PrimitiveType;
  const category = categoryOf(type);
  return bound.map((expression, i) => {
    const own = categoryOf(expression.type);
    if (own === category || own === 'null' || category === 'null') return expression;
    const node = nodes[i]!;
    const converted = node.kind === 'literal' ? literalAs(node, type) : undefined;
    if (converted !== undefined) return converted;
    return mismatch(`Cannot compare ${type} with ${expression.type}${comparisonHint(type, node)}`, node.offset);
  });
}

function comparisonHint(type: PrimitiveType, node: Expression): string {
  if (node.kind !== 'literal') return '';
  const literal: Literal = node;
  if (type === 'Edm.String') return `: write '${literal.value}' in quotes`;
  if (literal.type !== 'Edm.String') return '';
  return type === 'Edm.Boolean' || literal.value === '' ? '' : `: write ${literal.value.slice(0, 40)} without quotes`;
}

function bindIn(binder: Binder, node: InExpression): BoundExpression {
  const left = bindExpression(binder, node.left);
  const items = node.list ?? literalsOf(binder, node.collection!);
  const values: Exclude<Value, null>[] = [];
  let hasNull = false;
  for (const item of items) {
    const [, unified] = unify([left, bindLiteral(item)], [node.left, item]);
    const { value } = unified as BoundConstant;
    if (value === null) hasNull = true;
    else if (!Number.isNaN(value)) values.push(value);
  }
  if (values.length === 0 && !(hasNull && left.nullable)) return constant('Edm.Boolean', false);
  return fold({ kind: 'in', left, values, hasNull, type: 'Edm.Boolean', nullable: false }, [left]);
}

/** The right side of `in` when it is a JSON array or an alias for one. A single literal counts as a list of one. */
function literalsOf(binder: Binder, node: Expression): readonly Literal[] {
  if (node.kind === 'literal') return [node];
  if (node.kind === 'array' && node.items.every((item) => item.kind === 'literal')) return node.items as Literal[];
  if (node.kind === 'path' && node.root === 'alias' && node.segments.length === 0) {
    return binder.withAlias(node.alias!, node.offset, (value) => literalsOf(binder, value));
  }
  return binder.unsupported('in with anything but a list of literals', node.offset);
}

function bindArithmetic(binder: Binder, node: BinaryExpression): BoundExpression {
  const operator = node.operator as ArithmeticOperator;
  const left = bindExpression(binder, node.left);
  let right = bindExpression(binder, node.right);
  const [a, b] = [categoryOf(left.type), categoryOf(right.type)];
  if (a === 'moment' || a === 'date') {
    if (b === 'string' && node.right.kind === 'literal') right = literalAs(node.right, 'Edm.Duration') ?? right;
    const result = momentResult(node, left, right);
    const bound = fold({ kind: 'arithmetic', operator, left, right, type: result, nullable: true }, [left, right]);
    return bound.kind === 'constant' ? bound : binder.unsupported('Moving a stored date', node.offset);
  }
  const durations = a === 'duration' || b === 'duration';
  if (durations ? !durationFits(operator, a, b) : !isNumber(a) || !isNumber(b)) {
    const wrong = isNumber(a) || a === 'duration' ? node.right : node.left;
    mismatch(`${operator} does not take ${left.type} and ${right.type}`, wrong.offset);
  }
  const type = durations ? 'Edm.Duration' : numericResult(operator, left.type, right.type);
  // A literal zero would make every row null; the standard has the request fail.
  if ((operator === 'div' || operator === 'mod') && right.kind === 'constant' && right.value === 0) {
    throw new ODataError('value_out_of_range', `${operator} by zero.`, { offset: node.right.offset });
  }
  return fold({ kind: 'arithmetic', operator, left, right, type, nullable: true }, [left, right]);
}

const isNumber = (category: string): boolean => category === 'number' || category === 'null';

function durationFits(operator: string, a: string, b: string): boolean {
  if (operator === 'add' || operator === 'sub') return a === 'duration' && b === 'duration';
  if (operator === 'mul') return a !== b && (a === 'number' || b === 'number');
  return (operator === 'div' || operator === 'divby') && a === 'duration' && b === 'number';
}

function momentResult(node: BinaryExpression, left: BoundExpression, right: BoundExpression): PrimitiveType {
  const other = categoryOf(right.type);
  if ((node.operator === 'add' || node.operator === 'sub') && (other === 'duration' || other === 'null')) {
    return left.type as PrimitiveType;
  }
  if (node.operator === 'sub' && right.type === left.type) return 'Edm.Duration';
  return mismatch(`${node.operator} does not take ${left.type} and ${right.type}`, node.right.offset);
}

function numericResult(operator: string, left: string, right: string): PrimitiveType {
  if (operator === 'divby') return 'Edm.Decimal';
  if (isWholeType(left) && isWholeType(right)) return 'Edm.Int64';
  return left === 'Edm.Double' || right === 'Edm.Double' ? 'Edm.Double' : 'Edm.Decimal';
}

function bindCase(binder: Binder, node: CaseExpression): BoundExpression {
  const conditions = node.branches.map(({ condition }) => bindBoolean(binder, condition));
  const nodes = node.branches.map(({ value }) => value);
  const values = unify(
    nodes.map((value) => bindExpression(binder, value)),
    nodes,
  );
  const branches = conditions.map((condition, i) => ({ condition, value: values[i]! }));
  const type = commonType(values);
  return fold({ kind: 'case', branches, type, nullable: true }, [...conditions, ...values]);
}

function commonType(values: readonly BoundExpression[]): PrimitiveType | 'null' {
  const types = values.map(({ type }) => type).filter((type) => type !== 'null');
  if (types.length === 0) return 'null';
  if (categoryOf(types[0]!) !== 'number') return types[0]!;
  return types.reduce((a, b) => (a === b ? a : numericResult('add', a, b)));
}
