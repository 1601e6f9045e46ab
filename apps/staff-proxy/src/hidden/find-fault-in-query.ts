import type {
  ExpandItem,
  Expression,
  NameSegment,
  NestedOptions,
  PathExpression,
  PathSegment,
  QueryOptions,
  SelectItem,
} from '@rostergate/odata';
import type { PropertyNode } from './hidden-parts.ts';

/** The properties that a query may use, by their names in lower case: some upstreams ignore the case of names. */
export interface KnownNames {
  readonly hidden: ReadonlySet<string>;
  readonly usable: Properties;
}

type Properties = PropertyNode['properties'];

/** A name that a query option must not use. */
export interface QueryFault {
  readonly option: string;
  readonly name: string;
  /** Not a property of the contract, so its content is unknown. */
  readonly isUnknown: boolean;
}

/** Returns the first option whose result depends on a hidden property, or on one that the contract does not have. */
export function findFaultInQuery(options: QueryOptions, names: KnownNames): QueryFault | undefined {
  const { select = [], expand = [] } = options;
  return (
    faultInUnnamed(options) ??
    faultInConditions(options, names) ??
    firstFault(select, (item) => faultInSelect(item, names)) ??
    firstFault(expand, (item) => faultInExpand(item, names))
  );
}

/** Returns the first condition, at any depth, that depends on a property that is not usable. */
export function findFaultInConditions(
  options: NestedOptions,
  names: KnownNames,
  here: Properties = names.usable,
): QueryFault | undefined {
  const { select = [], expand = [] } = options;
  return (
    faultInUnnamed(options) ??
    faultInConditions(options, names, here) ??
    firstFault(select, within('$select')) ??
    firstFault(expand, within('$expand'))
  );

  function within(option: string) {
    return ({ path, options: nested }: SelectItem | ExpandItem): QueryFault | undefined => {
      const at = path.reduce<Properties | undefined>(step, here);
      const fault = nested && findFaultInConditions(nested, names, at ?? noProperties);
      return fault && { ...fault, option };
    };
  }
}

/** These can search and group by any property, and are not in the contract. */
function faultInUnnamed({ search, compute, apply }: Partial<QueryOptions>): QueryFault | undefined {
  for (const [option, given] of Object.entries({ $search: search, $apply: apply, $compute: compute })) {
    if (given !== undefined) return { option, name: option, isUnknown: false };
  }
  return undefined;
}

function step(at: Properties | undefined, segment: { readonly name: string }): Properties | undefined {
  return at?.get(segment.name.toLowerCase())?.properties;
}

const noProperties: Properties = new Map();

/** Checks filter, order and aliases, which compute with values. `here`: the properties that names without a root have. */
function faultInConditions(
  { filter, orderby = [], aliases }: NestedOptions,
  names: KnownNames,
  here: Properties = names.usable,
): QueryFault | undefined {
  const named = (option: string, expression: Expression): QueryFault | undefined => {
    const name = new Walk(names, here).findIn(expression);
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
  const isKnown = names.usable.get(name.toLowerCase()) !== undefined || names.hidden.has(name.toLowerCase());
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
  readonly #here: Properties;
  readonly #variables: ReadonlyMap<string, Properties>;

  constructor(names: KnownNames, here: Properties, variables: ReadonlyMap<string, Properties> = new Map()) {
    this.#names = names;
    this.#here = here;
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

  /** In a path, every name must be a property of what precedes it, and none may be hidden, not even a variable's. */
  #findInPath({ root, segments }: PathExpression): string | undefined {
    const [first] = segments;
    // An alias is checked where it gets its value.
    if (first === undefined) return root === 'alias' || root === '$this' ? undefined : root;
    if (root === '$root' || root === 'alias') return root;
    if (first.kind !== 'name') return root === 'member' ? first.kind : root;
    let at = root === '$it' ? this.#names.usable : this.#here;
    for (const segment of segments) {
      if (segment.kind === 'name') {
        const variable = segment === first && root === 'member' ? this.#variables.get(segment.name) : undefined;
        const next = variable ?? step(at, segment);
        if (next === undefined || this.#names.hidden.has(segment.name.toLowerCase())) return segment.name;
        at = next;
      } else {
        const name = this.#findInSegment(segment, at);
        if (name !== undefined) return name;
      }
    }
    return undefined;
  }

  /** `at`: the properties of the path before the segment. */
  #findInSegment(segment: Exclude<PathSegment, NameSegment>, at: Properties): string | undefined {
    switch (segment.kind) {
      case 'any':
      case 'all': {
        const { variable = '', predicate } = segment;
        const variables = new Map([...this.#variables, [variable, at]]);
        return predicate && new Walk(this.#names, this.#here, variables).findIn(predicate);
      }
      case 'count':
        if (segment.search !== undefined) return '$search';
        return segment.filter && new Walk(this.#names, at, this.#variables).findIn(segment.filter);
      case 'filter':
        return new Walk(this.#names, at, this.#variables).findIn(segment.predicate);
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
