import type {
  ExpandItem,
  Expression,
  NestedOptions,
  PathExpression,
  QueryOptions,
  SelectItem,
} from '@rostergate/odata';

/** Names of properties, in lower case: some upstreams ignore the case of names. */
export interface KnownNames {
  readonly hidden: ReadonlySet<string>;
  readonly visible: Pick<ReadonlySet<string>, 'has'>;
}

/** A name that a query option must not use. */
export interface QueryFault {
  readonly option: string;
  readonly name: string;
  /** Not a property of the contract, so its content is unknown. */
  readonly isUnknown: boolean;
}

/** Returns the first option whose result depends on a hidden property, or on one that the contract does not have. */
export function findFaultInQuery(options: QueryOptions, names: KnownNames): QueryFault | undefined {
  const { search, select = [], expand = [], apply, compute } = options;
  if (search !== undefined) return { option: '$search', name: '$search', isUnknown: false };
  // Neither is in the contract, and both can group by any property.
  for (const [option, given] of Object.entries({ $apply: apply, $compute: compute })) {
    if (given !== undefined) return { option, name: option, isUnknown: false };
  }
  return (
    faultInConditions(options, names) ??
    firstFault(select, (item) => faultInSelect(item, names)) ??
    firstFault(expand, (item) => faultInExpand(item, names))
  );
}

/** Checks filter, order and aliases, which compute with values. */
function faultInConditions(
  { filter, orderby = [], aliases }: NestedOptions,
  names: KnownNames,
): QueryFault | undefined {
  const named = (option: string, expression: Expression): QueryFault | undefined => {
    const name = new Walk(names).findIn(expression);
    if (name === undefined) return undefined;
    return { option, name, isUnknown: !names.hidden.has(name.toLowerCase()) };
  };
  return (
    (filter && named('$filter', filter)) ??
    firstFault(orderby, ({ expression }) => named('$orderby', expression)) ??
    firstFault([...aliases], ([alias, expression]) => named(`@${alias}`, expression))
  );
}

function faultInSelect({ path, star, options }: SelectItem, names: KnownNames): QueryFault | undefined {
  if (star && path.length === 0) return undefined;
  return faultInPath('$select', path[0], names) ?? faultInOptions('$select', path[0], options);
}

function faultInExpand({ path, star, suffix, options }: ExpandItem, names: KnownNames): QueryFault | undefined {
  const first = path[0];
  if (!star) {
    const fault = faultInPath('$expand', first, names);
    if (fault !== undefined) return fault;
  }
  if (suffix !== undefined) return { option: '$expand', name: `${first?.name ?? '*'}/${suffix}`, isUnknown: false };
  return faultInOptions('$expand', first, options);
}

function faultInPath(
  option: string,
  first: SelectItem['path'][0] | undefined,
  names: KnownNames,
): QueryFault | undefined {
  const name = first?.name ?? '';
  const isKnown = names.visible.has(name.toLowerCase()) || names.hidden.has(name.toLowerCase());
  return isKnown ? undefined : { option, name, isUnknown: true };
}

/** A hidden collection comes back empty, so options may cut its elements, but not select or count them. */
function faultInOptions(
  option: string,
  first: SelectItem['path'][0] | undefined,
  options: NestedOptions | undefined,
): QueryFault | undefined {
  if (options === undefined) return undefined;
  const { select = [], aliases, ...others } = options;
  const given =
    Object.entries(others).find(([, value]) => value !== undefined)?.[0] ?? (aliases.size > 0 ? '@' : undefined);
  if (given !== undefined) {
    const name = `${given === '@' ? given : `$${given}`} of ${first?.name ?? '*'}`;
    return { option, name, isUnknown: false };
  }
  return firstFault(select, (item) => faultInOptions(option, first, item.options));
}

/** Walks an expression with the lambda variables in scope. */
class Walk {
  readonly #names: KnownNames;
  readonly #variables: ReadonlySet<string>;

  constructor(names: KnownNames, variables: ReadonlySet<string> = new Set()) {
    this.#names = names;
    this.#variables = variables;
  }

  /** Returns the first name that is not allowed. */
  findIn(expression: Expression): string | undefined {
    switch (expression.kind) {
      case 'literal':
        return undefined;
      case 'and':
      case 'or':
        return this.#findFirst(expression.operands);
      case 'not':
      case 'negate':
        return this.findIn(expression.operand);
      case 'binary':
        return this.#findFirst([expression.left, expression.right]);
      case 'in':
        return this.#findFirst([
          expression.left,
          ...(expression.collection === undefined ? [] : [expression.collection]),
        ]);
      case 'call':
        return this.#findFirst(expression.arguments);
      case 'cast':
      case 'isof':
        return expression.operand === undefined ? undefined : this.findIn(expression.operand);
      case 'case':
        return this.#findFirst(expression.branches.flatMap(({ condition, value }) => [condition, value]));
      case 'array':
        return this.#findFirst(expression.items);
      case 'object':
        return this.#findFirst(expression.members.map(({ value }) => value));
      case 'path':
        return this.#findInPath(expression);
    }
  }

  #findFirst(expressions: readonly Expression[]): string | undefined {
    return firstFault(expressions, (one) => this.findIn(one));
  }

  /** In a path, the first name must be visible, and no later one may be hidden. */
  #findInPath({ root, segments }: PathExpression): string | undefined {
    // An alias is checked where it gets its value.
    if (root === 'alias' && segments.length === 0) return undefined;
    if (root === '$root' || root === 'alias') return root;
    const [first] = segments;
    const isVisible =
      first === undefined
        ? root === '$this'
        : first.kind === 'name' &&
          (this.#variables.has(first.name) || root === '$this' || this.#names.visible.has(first.name.toLowerCase()));
    if (!isVisible) return first?.kind === 'name' ? first.name : root === 'member' ? (first?.kind ?? root) : root;
    for (const segment of segments) {
      const name = this.#findInSegment(segment);
      if (name !== undefined) return name;
    }
    return undefined;
  }

  #findInSegment(segment: PathExpression['segments'][0]): string | undefined {
    switch (segment.kind) {
      case 'name':
        return this.#names.hidden.has(segment.name.toLowerCase()) ? segment.name : undefined;
      case 'any':
      case 'all': {
        const { variable, predicate } = segment;
        if (predicate === undefined) return undefined;
        return new Walk(this.#names, new Set([...this.#variables, variable ?? ''])).findIn(predicate);
      }
      case 'count':
        if (segment.search !== undefined) return '$search';
        return segment.filter && new Walk(this.#names, this.#variables).findIn(segment.filter);
      case 'filter':
        return this.findIn(segment.predicate);
      case 'key':
      case 'function':
      case 'annotation':
        return segment.kind;
    }
  }
}

function firstFault<T, F>(items: Iterable<T>, find: (item: T) => F | undefined): F | undefined {
  for (const item of items) {
    const fault = find(item);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
