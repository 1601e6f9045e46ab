import type { BinaryExpression, CaseExpression, Expression } from './ast.ts';
import { bindArithmetic, numericResult } from './bind-arithmetic.ts';
import { bindCall } from './bind-call.ts';
import { bindCast } from './bind-cast.ts';
import { bindComparison, bindIn, unify } from './bind-comparison.ts';
import { mismatch, unsupported } from './bind-faults.ts';
import { bindLiteral, constant, nullOf } from './bind-literal.ts';
import { bindPath } from './bind-path.ts';
import { type Binder, categoryOf } from './binder.ts';
import type { BoundExpression, Value } from './bound-ast.ts';
import { compileExpression } from './evaluate.ts';
import { asDouble } from './fit-number.ts';
import type { PrimitiveType } from './model.ts';

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
      return unsupported(`A JSON ${node.kind} in an expression`, node.offset);
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

export const isConstant = (node: BoundExpression, value: Value): boolean =>
  node.kind === 'constant' && Object.is(node.value, value);

/** The node itself, or its value where all it rests on are constants. */
export function fold(node: BoundExpression, operands: readonly BoundExpression[]): BoundExpression {
  for (const operand of operands) if (operand.kind !== 'constant') return node;
  return constant(node.type, compileExpression(node)([]));
}

function bindBinary(binder: Binder, node: BinaryExpression): BoundExpression {
  switch (node.operator) {
    case 'has':
      return unsupported('has, since the model has no enumerations,', node.offset);
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

function bindCase(binder: Binder, node: CaseExpression): BoundExpression {
  const conditions = node.branches.map(({ condition }) => bindBoolean(binder, condition));
  const nodes = node.branches.map(({ value }) => value);
  const values = unify(
    nodes.map((value) => bindExpression(binder, value)),
    nodes,
  );
  const branches = conditions.map((condition, i) => ({ condition, value: computed(values[i]!) }));
  const type = commonType(values);
  if (branches.every(({ value }) => isConstant(value, null))) return nullOf(type);
  return fold({ kind: 'case', branches, type, nullable: true }, [...conditions, ...values]);
}

/** SQLite has no NaN, and PostgreSQL orders it: where a row's value would be NaN, it is null. A number is a double. */
const computed = (value: BoundExpression): BoundExpression =>
  isConstant(value, Number.NaN) ? constant('null', null) : asDouble(value);

function commonType(values: readonly BoundExpression[]): PrimitiveType | 'null' {
  const types = values.map(({ type }) => type).filter((type) => type !== 'null');
  if (types.length === 0) return 'null';
  if (categoryOf(types[0]!) !== 'number') return types[0]!;
  return types.reduce((a, b) => (a === b ? a : numericResult('add', a, b)));
}
