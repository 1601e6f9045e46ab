import type { CastExpression, Expression, MethodCall } from './ast.ts';
import { bindWithQuoteHint, mismatch, outOfRange, unsupported } from './bind-faults.ts';
import type { Binder } from './binder.ts';
import type { BoundExpression, BoundFunction } from './bound-ast.ts';
import { asDouble, constant, fold, isConstant, isNullable, nullOf } from './bound-expressions.ts';
import { canonicalDateTime, dateTimeMax, dateTimeMin } from './date-time.ts';
import { type Category, categoryOf, isPrimitive, isWholeType, type PrimitiveType } from './model.ts';
import { compilePattern } from './pattern.ts';
import { UnsupportedPattern } from './pattern-tree.ts';

interface Signature {
  /** Categories that each argument accepts. */
  readonly accepts: readonly (readonly Category[])[];
  /** Type of the result. Undefined for the type of the first argument. */
  readonly returns: PrimitiveType | undefined;
}

const string: readonly Category[] = ['string'];
const number: readonly Category[] = ['number'];
const clock: readonly Category[] = ['moment', 'time'];
const calendar: readonly Category[] = ['moment', 'date'];
const test: Signature = { accepts: [string, string], returns: 'Edm.Boolean' };
const toText: Signature = { accepts: [string], returns: 'Edm.String' };
const calendarPart: Signature = { accepts: [calendar], returns: 'Edm.Int32' };
const clockPart: Signature = { accepts: [clock], returns: 'Edm.Int32' };

// OData Part 2, 5.1.1.5 to 5.1.1.9. All other functions of the standard are rejected with 501.
const signatures = new Map<string, Signature>(
  Object.entries({
    ...{ contains: test, endswith: test, startswith: test, matchespattern: test },
    ...{ tolower: toText, toupper: toText, trim: toText },
    concat: { accepts: [string, string], returns: 'Edm.String' },
    indexof: { accepts: [string, string], returns: 'Edm.Int32' },
    length: { accepts: [string], returns: 'Edm.Int32' },
    substring: { accepts: [string, number, number], returns: 'Edm.String' },
    ...{ year: calendarPart, month: calendarPart, day: calendarPart },
    ...{ hour: clockPart, minute: clockPart, second: clockPart },
    fractionalseconds: { accepts: [clock], returns: 'Edm.Decimal' },
    date: { accepts: [['moment']], returns: 'Edm.Date' },
    time: { accepts: [['moment']], returns: 'Edm.TimeOfDay' },
    totalseconds: { accepts: [['duration']], returns: 'Edm.Decimal' },
    ...{ round: { accepts: [number], returns: undefined }, floor: { accepts: [number], returns: undefined } },
    ceiling: { accepts: [number], returns: undefined },
  } satisfies Partial<Record<BoundFunction, Signature>>),
);

export function bindCall(binder: Binder, node: MethodCall): BoundExpression {
  switch (node.name) {
    case 'now':
      return constant('Edm.DateTimeOffset', canonicalDateTime(binder.now().toISOString())!);
    case 'mindatetime':
      return constant('Edm.DateTimeOffset', dateTimeMin);
    case 'maxdatetime':
      return constant('Edm.DateTimeOffset', dateTimeMax);
  }
  const signature = signatures.get(node.name);
  if (signature === undefined) return unsupported(`The function ${node.name}`, node.offset);
  const name = node.name as BoundFunction;
  const args = node.arguments.map((argument, i) => {
    if (i >= signature.accepts.length) return unsupported(`${node.name} with flags`, argument.offset);
    const accepts = signature.accepts[i]!;
    const bound = bindWithQuoteHint(
      () => binder.expression(argument),
      argument,
      () => accepts.includes('string'),
    );
    checkArgument(node.name, accepts, bound, argument);
    return bound;
  });
  if (name === 'matchespattern') {
    checkPattern(args[1]!, node.arguments[1]!);
    if (isConstant(args[1]!, null)) return nullOf('Edm.Boolean');
  }
  if (name === 'substring') checkSubstring(args, node.arguments);
  // Rounding does not change a whole number.
  if (signature.returns === undefined && isWholeType(args[0]!.type)) return args[0]!;
  const type = signature.returns ?? (args[0]!.type as PrimitiveType);
  return fold({ kind: 'call', name, arguments: args, type, nullable: args.some(isNullable) }, args);
}

function checkArgument(name: string, accepts: readonly Category[], bound: BoundExpression, node: Expression): void {
  const category = categoryOf(bound.type);
  if (category !== 'null' && !accepts.includes(category)) {
    const wanted = accepts.map((one) => categoryNames[one]).join(' or ');
    mismatch(`${name} takes ${wanted}, not ${bound.type}`, node.offset);
  }
  // Values are stored in UTC, so a part of a literal in another zone would be wrong (5.1.1.8).
  if (category === 'moment' && node.kind === 'literal' && /[+-]\d\d:\d\d$/.test(node.value)) {
    if (!/[+-]00:00$/.test(node.value)) unsupported(`${name} of a time that is not in UTC`, node.offset);
  }
}

const categoryNames: Record<Category, string> = {
  string: 'a string',
  boolean: 'a condition',
  number: 'a number',
  moment: 'a date with time',
  date: 'a date',
  time: 'a time of day',
  duration: 'a duration',
  guid: 'a guid',
  null: 'null',
};

function checkPattern(pattern: BoundExpression, node: Expression): void {
  if (pattern.kind !== 'constant') unsupported('matchesPattern with a computed pattern', node.offset);
  if (typeof pattern.value !== 'string') return;
  try {
    compilePattern(pattern.value);
  } catch (error) {
    if (error instanceof UnsupportedPattern) unsupported(`A pattern with ${error.message}`, node.offset);
    if (error instanceof SyntaxError) outOfRange(`The pattern is malformed: ${error.message}`, node.offset);
    throw error;
  }
}

/**
 * Rejects fractions and negative constants. The standard requires this for lengths and allows it for starts
 * (5.1.1.5.7).
 */
function checkSubstring(args: readonly BoundExpression[], nodes: readonly Expression[]): void {
  for (let i = 1; i < args.length; i++) {
    const arg = args[i]!;
    if (arg.type !== 'null' && !isWholeType(arg.type)) {
      mismatch(`substring takes whole numbers, not ${arg.type}`, nodes[i]!.offset);
    }
    if (arg.kind === 'constant' && arg.value !== null && Number(arg.value) < 0) {
      outOfRange('substring does not take negative numbers', nodes[i]!.offset);
    }
  }
}

/** Binds `cast` and `isof`, as far as the declared types decide them (OData Part 2, 5.1.1.10). */
export function bindCast(binder: Binder, node: CastExpression): BoundExpression {
  const { name, collection, offset } = node.type;
  if (collection) return unsupported('A cast to a collection', offset);
  if (node.operand === undefined) {
    if (node.kind === 'isof') return constant('Edm.Boolean', unqualified(name) === unqualified(binder.self.type));
    return unsupported('A cast of the row itself', offset);
  }
  if (!isPrimitive(name)) return unsupported(`${node.kind} with ${name}`, offset);
  const operand = binder.expression(node.operand);
  if (operand.kind === 'constant' && operand.value === null) {
    return node.kind === 'isof' ? constant('Edm.Boolean', true) : operand;
  }
  if (node.kind === 'isof') return constant('Edm.Boolean', operand.type === name);
  return castTo(operand, name, node);
}

/** Returns whether SQL can compute the value as a double, which has a different text. */
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
