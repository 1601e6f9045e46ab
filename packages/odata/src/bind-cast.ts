import type { CastExpression } from './ast.ts';
import { bindExpression, fold } from './bind-expression.ts';
import { unsupported } from './bind-faults.ts';
import { constant } from './bind-literal.ts';
import { type Binder, categoryOf, isWholeType } from './binder.ts';
import type { BoundExpression } from './bound-ast.ts';
import { asDouble } from './fit-number.ts';
import { isPrimitive, type PrimitiveType } from './model.ts';

/** `cast` and `isof`, as far as they can be told from the types alone (OData Part 2, 5.1.1.10). */
export function bindCast(binder: Binder, node: CastExpression): BoundExpression {
  const { name, collection, offset } = node.type;
  if (collection) return unsupported('A cast to a collection', offset);
  if (node.operand === undefined) {
    if (node.kind === 'isof') return constant('Edm.Boolean', unqualified(name) === unqualified(binder.self.type));
    return unsupported('A cast of the row itself', offset);
  }
  if (!isPrimitive(name)) return unsupported(`${node.kind} with ${name}`, offset);
  const operand = bindExpression(binder, node.operand);
  if (operand.kind === 'constant' && operand.value === null) {
    return node.kind === 'isof' ? constant('Edm.Boolean', true) : operand;
  }
  if (node.kind === 'isof') return constant('Edm.Boolean', operand.type === name);
  return castTo(operand, name, node);
}

/** Whether SQL may compute it in doubles, whose text is another. */
const isComputed = ({ kind }: BoundExpression): boolean =>
  kind === 'arithmetic' || kind === 'negate' || kind === 'case';

const unqualified = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

function castTo(operand: BoundExpression, type: PrimitiveType, node: CastExpression): BoundExpression {
  const from = operand.type as PrimitiveType;
  if (from === type) return operand;
  if (categoryOf(from) === 'number' && categoryOf(type) === 'number' && (isWholeType(from) || !isWholeType(type))) {
    return isWholeType(type) ? { ...operand, type } : asDouble(operand, type);
  }
  if (type === 'Edm.String' && (isWholeType(from) || from === 'Edm.Guid') && !isComputed(operand)) {
    return fold({ kind: 'call', name: 'text', arguments: [operand], type, nullable: operand.nullable }, [operand]);
  }
  return unsupported(`A cast of ${from} to ${type}`, node.type.offset);
}
