import type { ExpandItem, NestedOptions } from './ast.ts';
import { unsupported } from './bind-faults.ts';
import { namedProperty } from './bind-name.ts';
import type { BoundExpand, BoundQuery } from './bound-ast.ts';
import { type EntityModel, propertyOf, structuredType, visibleNames } from './model.ts';
import { ODataError } from './odata-error.ts';

/** Items of $expand by property; `bindNested` binds what stands in an item's parentheses. */
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
  // What an item names keeps its own options beside *.
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
