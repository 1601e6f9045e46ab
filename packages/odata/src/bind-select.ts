import type { SelectItem } from './ast.ts';
import { mismatch, unsupported } from './bind-faults.ts';
import { namedProperty } from './bind-name.ts';
import type { BoundSelect } from './bound-ast.ts';
import { type EntityModel, isPrimitive } from './model.ts';

/** Undefined for `*`: all properties. */
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

/** Adds one item's path, segment by segment; naming a property whole wins over naming a part of it. */
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
