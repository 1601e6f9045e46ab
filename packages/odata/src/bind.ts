import type { Expression, NestedOptions, OrderbyItem, QueryOptions } from './ast.ts';
import { bindExpression } from './bind-expression.ts';
import { unsupported } from './bind-faults.ts';
import { bindExpand, bindSelect } from './bind-select-expand.ts';
import { Binder, type Use } from './binder.ts';
import type { BoundOrder, BoundQuery } from './bound-ast.ts';
import { defaultLimits } from './limits.ts';
import type { EntityModel } from './model.ts';
import { ODataError } from './odata-error.ts';

/** Options that the caller can implement itself. */
export type HandledOption = '$format' | '$skiptoken' | '$deltatoken' | '$id' | '$index' | '$schemaversion' | '$search';

/** Settings of `bind`. */
export interface BindSettings {
  /** The clock of `now()`. */
  readonly now?: (() => Date) | undefined;
  /** Options that the caller implements. All others are rejected with 501. */
  readonly handled?: readonly HandledOption[] | undefined;
  /** Rejects aliases that no option uses. Default false, because the path of the request can use them. */
  readonly rejectUnusedAliases?: boolean | undefined;
  /** Maximum number of nodes of one bound expression. Each use of an alias counts. */
  readonly nodesMax?: number | undefined;
}

interface Context {
  readonly model: EntityModel;
  readonly now: () => Date;
  readonly handled: readonly string[];
  readonly nodesMax: number;
  readonly aliases: ReadonlyMap<string, Expression>;
  readonly usedAliases: Set<Expression>;
  readonly rejectUnusedAliases: boolean;
  readonly nested: boolean;
}

/**
 * Checks parsed options against a model. Throws `ODataError`: 400 for unknown names and mismatched types, 501 for parts
 * of the standard that are not supported.
 */
export function bind(options: QueryOptions, model: EntityModel, type: string, settings: BindSettings = {}): BoundQuery {
  const handled: readonly string[] = settings.handled ?? [];
  for (const name of textOptions) {
    if (options[name] !== undefined && !handled.includes(`$${name}`)) rejectOption(`$${name}`, { nested: false }, 0);
  }
  return bindOptions(options, type, {
    model,
    now: settings.now ?? (() => new Date()),
    handled,
    nodesMax: settings.nodesMax ?? 4 * defaultLimits.nodesMax,
    aliases: options.aliases,
    usedAliases: new Set(),
    rejectUnusedAliases: settings.rejectUnusedAliases ?? false,
    nested: false,
  });
}

const textOptions = ['format', 'skiptoken', 'deltatoken', 'id', 'index', 'schemaversion', 'apply'] as const;

function bindOptions(options: NestedOptions, type: string, context: Context): BoundQuery {
  const { filter, orderby, select, expand, search } = options;
  const searchHandled = context.handled.includes('$search') && !context.nested;
  if (search !== undefined && !searchHandled) rejectOption('$search', context, search.offset);
  if (options.compute !== undefined) rejectOption('$compute', context, options.compute[0]!.offset);
  if (options.levels !== undefined) rejectOption('$levels', context, 0);
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
  if (context.rejectUnusedAliases) checkAliases(options.aliases, context);
  return query;
}

function checkAliases(aliases: NestedOptions['aliases'], { usedAliases }: Context): void {
  for (const [name, value] of aliases) {
    if (usedAliases.has(value)) continue;
    const message = `@${name} is not used: use it in $filter, $orderby or $expand, or remove it.`;
    throw new ODataError('unused_alias', message, { offset: value.offset, option: `@${name}` });
  }
}

function rejectOption(option: string, context: Pick<Context, 'nested'>, offset: number): never {
  return unsupported(option, offset, context.nested ? undefined : option);
}

/** Names the outermost option in an error, because offsets refer to its text. */
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

/** Binds `$orderby`. Constant terms are dropped, because they do not affect the order. */
function bindOrderby(items: readonly OrderbyItem[], type: string, context: Context): BoundOrder[] {
  const binder = binderFor(type, context, 'sortable');
  return items
    .map(({ expression, descending }) => ({ expression: binder.expression(expression), descending }))
    .filter(({ expression }) => expression.kind !== 'constant');
}
