import type { Expression, NestedOptions, OrderbyItem, QueryOptions } from './ast.ts';
import { bindExpression } from './bind-expression.ts';
import { unsupported } from './bind-faults.ts';
import { bindExpand, bindSelect } from './bind-select-expand.ts';
import { Binder, type Use } from './binder.ts';
import type { BoundOrder, BoundQuery } from './bound-ast.ts';
import { defaultLimits } from './limits.ts';
import type { EntityModel } from './model.ts';
import { ODataError } from './odata-error.ts';

/** Options that this library hands through as text; the caller says which it honours itself. */
export type HandledOption = '$format' | '$skiptoken' | '$deltatoken' | '$id' | '$index' | '$schemaversion' | '$search';

/** What binding needs to know beside the model. */
export interface BindSettings {
  /** The clock behind `now()`. */
  readonly now?: (() => Date) | undefined;
  /** Options the caller honours from the tree itself; without it they answer 501. */
  readonly handled?: readonly HandledOption[] | undefined;
  /** Refuse aliases that no option uses. Default false: the path of the request may use them. */
  readonly refuseUnusedAliases?: boolean | undefined;
  /** Nodes of one bound expression, aliases counted as often as they are used. */
  readonly nodesMax?: number | undefined;
}

interface Context {
  readonly model: EntityModel;
  readonly now: () => Date;
  readonly handled: readonly string[];
  readonly nodesMax: number;
  readonly aliases: ReadonlyMap<string, Expression>;
  readonly usedAliases: Set<Expression>;
  readonly refuseUnusedAliases: boolean;
  readonly nested: boolean;
}

/**
 * Checks parsed options against a model. Throws `ODataError`: 400 for unknown names and types that do not fit,
 * 501 for what the standard has and this library does not.
 */
export function bind(options: QueryOptions, model: EntityModel, type: string, settings: BindSettings = {}): BoundQuery {
  const handled: readonly string[] = settings.handled ?? [];
  for (const name of textOptions) {
    if (options[name] !== undefined && !handled.includes(`$${name}`)) refuse(`$${name}`, { nested: false }, 0);
  }
  return bindOptions(options, type, {
    model,
    now: settings.now ?? (() => new Date()),
    handled,
    nodesMax: settings.nodesMax ?? 4 * defaultLimits.nodesMax,
    aliases: options.aliases,
    usedAliases: new Set(),
    refuseUnusedAliases: settings.refuseUnusedAliases ?? false,
    nested: false,
  });
}

const textOptions = ['format', 'skiptoken', 'deltatoken', 'id', 'index', 'schemaversion', 'apply'] as const;

function bindOptions(options: NestedOptions, type: string, context: Context): BoundQuery {
  const { filter, orderby, select, expand, search } = options;
  const searchHandled = context.handled.includes('$search') && !context.nested;
  if (search !== undefined && !searchHandled) refuse('$search', context, search.offset);
  if (options.compute !== undefined) refuse('$compute', context, options.compute[0]!.offset);
  if (options.levels !== undefined) refuse('$levels', context, 0);
  const query: BoundQuery = {
    type,
    filter: filter && within('$filter', context, () => binderFor(type, context, 'filterable').condition(filter)),
    orderby: orderby === undefined ? [] : within('$orderby', context, () => bindOrderby(orderby, type, context)),
    select: select && within('$select', context, () => bindSelect(select, type, context.model)),
    expand:
      expand === undefined
        ? []
        : within('$expand', context, () =>
            bindExpand(expand, type, context.model, (nested, element) =>
              bindOptions(nested, element, nestedContext(context, nested)),
            ),
          ),
    top: options.top,
    skip: options.skip,
    count: options.count ?? false,
  };
  if (context.refuseUnusedAliases) checkAliases(options.aliases, context);
  return query;
}

function checkAliases(aliases: NestedOptions['aliases'], { usedAliases }: Context): void {
  for (const [name, value] of aliases) {
    if (usedAliases.has(value)) continue;
    const message = `@${name} is given a value and not used: refer to it in $filter, $orderby or $expand, or leave it out.`;
    throw new ODataError('unused_alias', message, { offset: value.offset, option: `@${name}` });
  }
}

function refuse(option: string, context: Pick<Context, 'nested'>, offset: number): never {
  return unsupported(option, offset, context.nested ? undefined : option);
}

/** Offsets count in the text of the outermost option, so that is the one an error names. */
function within<T>(option: string, context: Context, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof ODataError && !context.nested) error.option ??= option;
    throw error;
  }
}

function nestedContext(context: Context, { aliases }: NestedOptions): Context {
  if (aliases.size === 0) return { ...context, nested: true };
  return { ...context, nested: true, aliases: new Map([...context.aliases, ...aliases]) };
}

const binderFor = (type: string, context: Context, use: Use): Binder =>
  new Binder({ ...context, bindExpression, type, use });

/** Terms that are constant order nothing. */
function bindOrderby(items: readonly OrderbyItem[], type: string, context: Context): BoundOrder[] {
  const binder = binderFor(type, context, 'sortable');
  return items
    .map(({ expression, descending }) => ({ expression: binder.expression(expression), descending }))
    .filter(({ expression }) => expression.kind !== 'constant');
}
