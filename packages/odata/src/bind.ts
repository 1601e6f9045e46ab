import type { ExpandItem, Expression, NestedOptions, QueryOptions, SelectItem } from './ast.ts';
import { bindBoolean, bindExpression } from './bind-expression.ts';
import { unknown } from './bind-path.ts';
import { Binder, type Use } from './binder.ts';
import type { BoundExpand, BoundExpression, BoundOrder, BoundQuery, BoundSelect } from './bound-ast.ts';
import { didYouMean } from './did-you-mean.ts';
import { defaultLimits } from './limits.ts';
import {
  type EntityModel,
  isPrimitive,
  type PropertyModel,
  propertyOf,
  structuredType,
  visibleNames,
} from './model.ts';
import { ODataError } from './odata-error.ts';

/** Options that this library hands through as text; the caller says which it honours itself. */
export type HandledOption = '$format' | '$skiptoken' | '$deltatoken' | '$id' | '$index' | '$schemaversion' | '$search';

export interface BindSettings {
  /** The clock behind `now()`. */
  readonly now?: (() => Date) | undefined;
  /** Options the caller honours from the tree itself; without it they answer 501. */
  readonly handled?: readonly HandledOption[] | undefined;
  /** Nodes of one bound expression, aliases counted as often as they are used. */
  readonly nodesMax?: number | undefined;
}

interface Context {
  readonly model: EntityModel;
  readonly now: () => Date;
  readonly handled: readonly string[];
  readonly nodesMax: number;
  readonly aliases: ReadonlyMap<string, Expression>;
  readonly nested: boolean;
}

/**
 * Checks parsed options against a model. Throws `ODataError`: 400 for unknown names and types that do not fit,
 * 501 for what the standard has and this library does not.
 */
export function bind(options: QueryOptions, model: EntityModel, type: string, settings: BindSettings = {}): BoundQuery {
  const handled: readonly string[] = settings.handled ?? [];
  for (const name of textOptions) {
    if (options[name] !== undefined && !handled.includes(`$${name}`)) refuse(`$${name}`);
  }
  return bindOptions(options, type, {
    model,
    now: settings.now ?? (() => new Date()),
    handled,
    nodesMax: settings.nodesMax ?? 4 * defaultLimits.nodesMax,
    aliases: options.aliases,
    nested: false,
  });
}

const textOptions = ['format', 'skiptoken', 'deltatoken', 'id', 'index', 'schemaversion', 'apply'] as const;

function refuse(option: string, offset = 0): never {
  throw new ODataError('not_supported', `${option} is not supported.`, { offset, option });
}

function bindOptions(options: NestedOptions, type: string, context: Context): BoundQuery {
  if (options.search !== undefined && !context.handled.includes('$search')) refuse('$search', options.search.offset);
  if (options.compute !== undefined) refuse('$compute');
  if (options.levels !== undefined) refuse('$levels');
  const { filter, orderby } = options;
  return {
    type,
    filter:
      filter === undefined
        ? undefined
        : inOption('$filter', () => bindBoolean(binderFor(type, context, 'filterable'), filter)),
    orderby: orderby === undefined ? [] : inOption('$orderby', () => bindOrderby(orderby, type, context)),
    select: options.select && inOption('$select', () => bindSelect(options.select!, type, context.model)),
    expand: options.expand === undefined ? [] : inOption('$expand', () => bindExpand(options.expand!, type, context)),
    top: options.top,
    skip: options.skip,
    count: options.count ?? false,
  };
}

function inOption<T>(option: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof ODataError) error.option ??= option;
    throw error;
  }
}

const binderFor = (type: string, context: Context, use: Use): Binder => new Binder({ ...context, type, use });

function bindOrderby(items: NonNullable<NestedOptions['orderby']>, type: string, context: Context): BoundOrder[] {
  const binder = binderFor(type, context, 'sortable');
  return items
    .map(({ expression, descending }) => ({ expression: bindExpression(binder, expression), descending }))
    .filter(({ expression }) => (expression as BoundExpression).kind !== 'constant');
}

function bindSelect(items: readonly SelectItem[], type: string, model: EntityModel): BoundSelect[] | undefined {
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
      throw new ODataError('type_mismatch', `${name} has no properties.`, { offset: item.path[at]!.offset });
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

function unsupported(what: string, offset: number): never {
  throw new ODataError('not_supported', `${what} is not supported.`, { offset });
}

function namedProperty(
  segment: ExpandItem['path'][number],
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
  throw unknown('unknown_property', message, segment.offset, didYouMean(segment.name, names));
}

function bindExpand(items: readonly ExpandItem[], type: string, context: Context): BoundExpand[] {
  const expanded = new Map<string, BoundExpand>();
  const { model } = context;
  for (const item of items) {
    if (item.suffix !== undefined) unsupported(item.suffix, item.offset);
    if (item.star) {
      if (item.path.length > 0 || item.options !== undefined) unsupported('A path or $levels with *', item.offset);
      for (const name of visibleNames(structuredType(model, type))) {
        const property = propertyOf(structuredType(model, type), name)!;
        if (property.expandable === true && !expanded.has(name)) {
          expanded.set(name, { property: name, query: everything(property.type) });
        }
      }
    }
  }
  const named = new Set<string>();
  for (const item of items) {
    if (item.star) continue;
    if (item.path.length > 1) unsupported('A path of several segments in $expand', item.path[1]!.offset);
    const property = namedProperty(item.path[0]!, type, model, 'expandable');
    const name = (item.path[0] as { name: string }).name;
    if (named.has(name)) {
      throw new ODataError('duplicate_option', `${name} is expanded twice.`, { offset: item.offset });
    }
    named.add(name);
    const { options } = item;
    const query =
      options === undefined
        ? everything(property.type)
        : bindOptions(options, property.type, {
            ...context,
            nested: true,
            aliases: options.aliases.size === 0 ? context.aliases : new Map([...context.aliases, ...options.aliases]),
          });
    expanded.set(name, { property: name, query });
  }
  return [...expanded.values()];
}

function everything(type: string): BoundQuery {
  return {
    type,
    filter: undefined,
    orderby: [],
    select: undefined,
    expand: [],
    top: undefined,
    skip: undefined,
    count: false,
  };
}
