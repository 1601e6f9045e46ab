import type { AnnotationSegment, ExpandItem, NameSegment, NestedOptions, SelectItem } from './ast.ts';
import { mismatch, unknownProperty, unsupported } from './bind-faults.ts';
import type { BoundExpand, BoundQuery, BoundSelect } from './bound-ast.ts';
import { didYouMean } from './did-you-mean.ts';
import {
  type EntityModel,
  isPrimitive,
  type PropertyModel,
  propertyOf,
  structuredType,
  visibleNames,
} from './model.ts';
import { ODataError } from './odata-error.ts';

/** Returns the property that a segment of $select or $expand names. */
export function namedProperty(
  segment: NameSegment | AnnotationSegment,
  typeName: string,
  model: EntityModel,
  use: 'selectable' | 'expandable',
): PropertyModel {
  if (segment.kind === 'annotation') return unsupported('An annotation', segment.offset);
  const type = structuredType(model, typeName);
  const property = propertyOf(type, segment.name);
  const allowed = use === 'selectable' ? property?.selectable !== false : property?.expandable === true;
  if (property !== undefined && allowed) return property;
  if (property !== undefined) {
    const verb = use === 'selectable' ? 'selected' : 'expanded';
    throw new ODataError('property_not_allowed', `${segment.name} cannot be ${verb}.`, { offset: segment.offset });
  }
  if (segment.name.includes('.')) return unsupported('A type cast in a path', segment.offset);
  const names = visibleNames(type).filter((name) => use === 'selectable' || type.properties[name]?.expandable === true);
  const message = `${typeName} has no property ${segment.name}`;
  return unknownProperty(message, segment.offset, didYouMean(segment.name, names));
}

/** Binds $select. Returns undefined for `*`, which selects all properties. */
export function bindSelect(items: readonly SelectItem[], type: string, model: EntityModel): BoundSelect[] | undefined {
  const selected = new Map<string, BoundSelect>();
  let all = false;
  for (const item of items) {
    if (item.star && item.path.length === 0) {
      all = true;
      continue;
    }
    if (item.star || item.parameters !== undefined) unsupported('Actions and functions in $select', item.offset);
    addPath(selected, item, 0, type, model);
  }
  return all ? undefined : [...selected.values()];
}

/** Adds the path of an item. A whole property takes precedence over its parts. */
function addPath(
  selected: Map<string, BoundSelect>,
  item: SelectItem,
  at: number,
  type: string,
  model: EntityModel,
): void {
  const property = namedProperty(item.path[at]!, type, model, 'selectable');
  const name = (item.path[at] as { name: string }).name;
  const seen = selected.get(name);
  const last = at === item.path.length - 1;
  let select: BoundSelect[] | undefined;
  if (!last || item.options !== undefined) {
    if (isPrimitive(property.type)) {
      mismatch(`${name} has no properties`, item.path[at]!.offset);
    }
    if (seen !== undefined && seen.select === undefined) return;
    const inner = new Map(seen?.select?.map((one) => [one.property, one]));
    if (last) {
      const { select: nested, ...others } = item.options!;
      if (Object.values(others).some((value) => value !== undefined && !(value instanceof Map && value.size === 0))) {
        unsupported('An option other than $select inside $select', item.offset);
      }
      const bound = bindSelect(nested ?? [], property.type, model);
      for (const one of bound ?? []) inner.set(one.property, one);
      select = bound === undefined ? undefined : [...inner.values()];
    } else {
      addPath(inner, item, at + 1, property.type, model);
      select = [...inner.values()];
    }
  }
  selected.set(name, { property: name, select });
}

/** Binds $expand. `bindNested` binds the options of an item. */
export function bindExpand(
  items: readonly ExpandItem[],
  typeName: string,
  model: EntityModel,
  bindNested: (options: NestedOptions, type: string) => BoundQuery,
): BoundExpand[] {
  const expanded = new Map<string, BoundExpand>();
  for (const item of items) {
    if (item.suffix !== undefined) unsupported(item.suffix, item.offset);
    if (item.star) continue;
    const { path, options } = item;
    if (path.length > 1) unsupported('A path of several segments in $expand', path[1]!.offset);
    const { type } = namedProperty(path[0]!, typeName, model, 'expandable');
    const property = path[0]!.name;
    if (expanded.has(property)) {
      throw new ODataError('duplicate_option', `${property} is expanded twice.`, { offset: item.offset });
    }
    expanded.set(property, { property, query: options === undefined ? everything(type) : bindNested(options, type) });
  }
  // Named items take precedence over *.
  for (const item of items) if (item.star) addAll(expanded, item, typeName, model);
  return [...expanded.values()];
}

function addAll(expanded: Map<string, BoundExpand>, item: ExpandItem, typeName: string, model: EntityModel): void {
  if (item.path.length > 0 || item.options !== undefined) unsupported('A path or $levels with *', item.offset);
  const type = structuredType(model, typeName);
  for (const property of visibleNames(type)) {
    const { expandable, type: element } = propertyOf(type, property)!;
    if (expandable === true && !expanded.has(property))
      expanded.set(property, { property, query: everything(element) });
  }
}

const everything = (type: string): BoundQuery => ({
  type,
  filter: undefined,
  orderby: [],
  select: undefined,
  expand: [],
  top: undefined,
  skip: undefined,
  count: false,
});
