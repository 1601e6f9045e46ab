import type { NameSegment, PathExpression, PathSegment } from './ast.ts';
import { mismatch, unknownProperty, unsupported } from './bind-faults.ts';
import type { Binder, Variable } from './binder.ts';
import type { BoundCollection, BoundExpression } from './bound-ast.ts';
import { joinConditions } from './bound-expressions.ts';
import { didYouMean } from './did-you-mean.ts';
import { isPrimitive, type PropertyModel, propertyOf, structuredType, visibleNames } from './model.ts';
import { ODataError } from './odata-error.ts';
import { unknownFunction } from './vocabulary.ts';

/** Binds a member path to a property, a collection operator, or the value of an alias. */
export function bindPath(binder: Binder, node: PathExpression): BoundExpression {
  const { root, segments } = node;
  if (root === 'alias') return bindAlias(binder, node);
  if (root === '$root') return unsupported('$root', node.offset);
  let start = binder.self;
  let from = 0;
  if (root === '$it') start = binder.it ?? unsupported('$it inside $expand', node.offset);
  else if (root === 'member') {
    const variable = segments[0]!.kind === 'name' ? binder.variables.get(segments[0]!.name) : undefined;
    if (variable !== undefined) {
      start = variable;
      from = 1;
    }
  }
  return walk(binder, start, segments, from, node);
}

function bindAlias(binder: Binder, node: PathExpression): BoundExpression {
  if (node.segments.length === 0) {
    return binder.withAlias(node.alias!, node.offset, (value) => binder.expression(value));
  }
  const value = binder.aliases.get(node.alias!);
  if (value === undefined) return unsupported('Annotations in an expression', node.offset);
  if (value.kind !== 'path') return mismatch(`@${node.alias} is not a path, so no segment can follow it`, node.offset);
  const joined = { ...value, segments: [...value.segments, ...node.segments], offset: node.offset, end: node.end };
  return binder.withAlias(node.alias!, node.offset, () => bindPath(binder, joined));
}

function walk(
  binder: Binder,
  start: Variable,
  segments: readonly PathSegment[],
  from: number,
  node: PathExpression,
): BoundExpression {
  const path: string[] = [];
  let type = start.type;
  let nullable = start.nullable;
  for (let i = from; i < segments.length; i++) {
    const segment = segments[i]!;
    if (segment.kind !== 'name') return unsupportedSegment(segment);
    const property = findProperty(binder, type, segment, segments[i + 1]?.kind === 'key');
    path.push(segment.name);
    type = property.type;
    if (property.collection === true) return bindCollection(binder, start, path, type, segments, i + 1, node);
    nullable = property.nullable !== false || (path.length > 1 && nullable);
  }
  if (!isPrimitive(type)) {
    return mismatch(`${describe(node, segments)} is not a single value: name one of its properties`, node.offset);
  }
  if (path.length === 0) return { kind: 'variable', variable: start.id, type, nullable };
  return { kind: 'property', variable: start.id, path, type, nullable };
}

function unsupportedSegment(segment: PathSegment): never {
  switch (segment.kind) {
    case 'function':
      return unknownFunction(segment.name, segment.offset);
    case 'annotation':
      return unsupported('An annotation in an expression', segment.offset);
    case 'key':
      return unsupported('A key in an expression', segment.offset);
    default:
      return mismatch(`${segment.kind} needs a collection before it`, segment.offset);
  }
}

/** Returns a property. `lenght('x')` parses as a property with a key, and is reported as an unknown function. */
function findProperty(binder: Binder, typeName: string, segment: NameSegment, keyed: boolean): PropertyModel {
  if (isPrimitive(typeName)) {
    return mismatch(`${typeName} has no property ${segment.name}`, segment.offset);
  }
  const type = structuredType(binder.model, typeName);
  const property = propertyOf(type, segment.name);
  if (property === undefined) {
    if (segment.name.includes('.')) return unsupported('A type cast in a path', segment.offset);
    if (keyed) return unknownFunction(segment.name, segment.offset);
    const suggestion = didYouMean(segment.name, [...visibleNames(type), ...binder.variables.keys()]);
    return unknownProperty(`${typeName} has no property ${segment.name}`, segment.offset, suggestion);
  }
  if (property[binder.use] === false) {
    const verb = binder.use === 'filterable' ? 'filtered' : 'ordered by';
    throw new ODataError('property_not_allowed', `${segment.name} cannot be ${verb}.`, { offset: segment.offset });
  }
  return property;
}

/** Binds the segments after a collection: `/$filter(…)`, then `/any`, `/all` or `/$count`. */
function bindCollection(
  binder: Binder,
  start: Variable,
  path: readonly string[],
  elementType: string,
  segments: readonly PathSegment[],
  from: number,
  node: PathExpression,
): BoundExpression {
  const element = binder.newVariable(elementType);
  const predicates: BoundExpression[] = [];
  let i = from;
  for (; segments[i]?.kind === 'filter'; i++) {
    const segment = segments[i] as PathSegment & { kind: 'filter' };
    predicates.push(withSelf(binder, element, () => binder.condition(segment.predicate)));
  }
  const segment = segments[i];
  if (segment === undefined) {
    return mismatch(`${describe(node, segments)} is a collection: use /any(…), /all(…) or /$count`, node.offset);
  }
  if (segment.kind === 'name') {
    return mismatch(
      `${describe(node, segments.slice(0, i))} is a collection: write ${path.at(-1)}/any(x:x/${segment.name} …)`,
      segment.offset,
    );
  }
  if (segment.kind !== 'any' && segment.kind !== 'all' && segment.kind !== 'count') {
    return unsupportedSegment(segment);
  }
  if (i + 1 < segments.length) return mismatch(`Nothing can follow ${segment.kind}`, segments[i + 1]!.offset);
  if (segment.kind === 'count') {
    if (segment.search !== undefined) return unsupported('$search', segment.offset);
    const { filter } = segment;
    if (filter !== undefined) predicates.push(withSelf(binder, element, () => binder.condition(filter)));
    const collection = collectionOf(start, path, element, predicates);
    return { kind: 'count', collection, type: 'Edm.Int64', nullable: false };
  }
  const collection = collectionOf(start, path, element, predicates);
  const predicate =
    segment.predicate === undefined
      ? undefined
      : withVariable(binder, segment.variable!, element, () => binder.condition(segment.predicate!));
  return { kind: segment.kind, collection, predicate, type: 'Edm.Boolean', nullable: false };
}

function collectionOf(
  start: Variable,
  path: readonly string[],
  element: Variable,
  predicates: readonly BoundExpression[],
): BoundCollection {
  const predicate = predicates.length <= 1 ? predicates[0] : joinConditions('and', predicates);
  return { variable: start.id, path, element: element.id, elementType: element.type, predicate };
}

function withVariable<T>(binder: Binder, name: string, variable: Variable, bind: () => T): T {
  const shadowed = binder.variables.get(name);
  binder.variables.set(name, variable);
  const bound = bind();
  if (shadowed === undefined) binder.variables.delete(name);
  else binder.variables.set(name, shadowed);
  return bound;
}

/** Resolves unqualified names against the element, inside `/$filter(…)` and `/$count($filter=…)`. */
function withSelf<T>(binder: Binder, element: Variable, bind: () => T): T {
  const outer = binder.self;
  binder.self = element;
  const bound = bind();
  binder.self = outer;
  return bound;
}

function describe(node: PathExpression, segments: readonly PathSegment[]): string {
  const names = segments.map((segment) => (segment.kind === 'name' ? segment.name : `$${segment.kind}`));
  return [...(node.root === 'member' ? [] : [node.root]), ...names].join('/');
}
