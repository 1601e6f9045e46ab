import type { BinaryExpression, CaseExpression } from './ast.ts';
import { bindArithmetic, numericResult } from './bind-arithmetic.ts';
import { bindCall, bindCast } from './bind-call.ts';
import { bindComparison, bindIn, unify } from './bind-comparison.ts';
import { mismatch, unsupported } from './bind-faults.ts';
import { bindLiteral } from './bind-literal.ts';
import { bindPath } from './bind-path.ts';
import type { BindExpression, Binder } from './binder.ts';
import type { BoundExpression } from './bound-ast.ts';
import { asDouble, constant, fold, isConstant, joinConditions, nullOf } from './bound-expressions.ts';
import { categoryOf, type PrimitiveType } from './model.ts';

/** Resolves the names and checks the types of an expression. Subexpressions of constants are computed here. */
export const bindExpression: BindExpression = (binder, node) => {
  switch (node.kind) {
    case 'literal':
      return bindLiteral(node);
    case 'path':
      return bindPath(binder, node);
    case 'and':
    case 'or':
      return joinConditions(
        node.kind,
        node.operands.map((operand) => binder.condition(operand)),
      );
    case 'not': {
      const operand = binder.condition(node.operand, 'not binds tighter than eq: write not (…) around it');
      return fold({ kind: 'not', operand, type: 'Edm.Boolean', nullable: operand.nullable }, [operand]);
    }
    case 'binary':
      return bindBinary(binder, node);
    case 'in':
      return bindIn(binder, node);
    case 'negate': {
      const operand = binder.expression(node.operand);
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
};

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
  const conditions = node.branches.map(({ condition }) => binder.condition(condition));
  const nodes = node.branches.map(({ value }) => value);
  const values = unify(
    nodes.map((value) => binder.expression(value)),
    nodes,
  );
  const branches = conditions.map((condition, i) => ({ condition, value: computed(values[i]!) }));
  const type = commonType(values);
  if (branches.every(({ value }) => isConstant(value, null))) return nullOf(type);
  return fold({ kind: 'case', branches, type, nullable: true }, [...conditions, ...values]);
}

/** NaN becomes null, because SQLite has no NaN and PostgreSQL orders it. Numbers become doubles. */
const computed = (value: BoundExpression): BoundExpression =>
  isConstant(value, Number.NaN) ? constant('null', null) : asDouble(value);

function commonType(values: readonly BoundExpression[]): PrimitiveType | 'null' {
  const types = values.map(({ type }) => type).filter((type) => type !== 'null');
  if (types.length === 0) return 'null';
  if (categoryOf(types[0]!) !== 'number') return types[0]!;
  return types.reduce((a, b) => (a === b ? a : numericResult('add', a, b)));
}
