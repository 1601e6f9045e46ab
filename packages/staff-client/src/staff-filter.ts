import type { Condition, StaffFields } from './filter-types.ts';

/** A condition, or a function that builds one of the fields of a person. */
export type StaffFilter = Condition | ((person: StaffFields) => Condition);

/**
 * Builds a `$filter` over the fields of a person: `staffFilter((s) => s.LastName.startsWith('A').and(s.Fte.ge(0.5)))`.
 * Texts and dates are written as OData literals. Its `toString()` returns the OData text.
 */
export function staffFilter(filter: StaffFilter): Condition {
  return typeof filter === 'function' ? filter(fieldsOf('')) : filter;
}

/** A name, a call or a condition, with its text and all methods; the types limit their use. */
class Term {
  declare readonly text: string;
  /** The method that made it. */
  declare readonly by: string | undefined;
  /** Whether it is compared with dates. */
  declare readonly isDate: boolean | undefined;

  constructor(text: string, by?: string, isDate?: boolean) {
    this.text = text;
    this.by = by;
    this.isDate = isDate;
  }

  toString(): string {
    return this.text;
  }
}

type Write = (self: Term, values: readonly unknown[], name: string) => string;

function define(names: string, write: Write): void {
  const methods = Term.prototype as unknown as Record<string, (this: Term, ...values: unknown[]) => Term>;
  for (const name of names.split(' ')) {
    methods[name] = function (...values) {
      return new Term(write(this, values, name), name);
    };
  }
}

// Comparisons bind closer than `and`; sums and products may be nested.
define('eq ne gt ge lt le add sub mul div mod', (self, [value], name) => {
  const text = `${self} ${name} ${literalOf(value, self)}`;
  return name.length > 2 ? `(${text})` : text;
});
define(
  'startsWith endsWith contains toLower toUpper trim length indexOf substring concat year month day hour minute second round floor ceiling',
  (self, values, name) => `${name.toLowerCase()}(${[self, ...values.map((value) => literalOf(value, self))]})`,
);
// OData has no empty lists.
define('in', (self, [values]) => {
  const list = (values as unknown[]).map((value) => literalOf(value, self));
  return list.length > 0 ? `${self} in (${list})` : 'false';
});
define('not', (self) => `not (${self})`);
define('and or', (self, others, name) =>
  // `and` binds closer.
  [self, ...(others as Term[])].map((part) => (name < 'b' && part.by === 'or' ? `(${part})` : part)).join(` ${name} `),
);
define('any all', (self, [create], name) => {
  const variable = `x${++depth}`;
  const condition = create ? `${variable}:${(create as (item: unknown) => Term)(fieldsOf(`${variable}/`))}` : '';
  depth--;
  return `${self}/${name}(${condition})`;
});

/** Depth of nested collections; each has its own variable. */
let depth = 0;

/** @internal Returns the fields of an entity, with names that begin with the prefix. */
/* biome-ignore lint/suspicious/noExplicitAny: the types are those of the entity, in filter-types.ts. */
export function fieldsOf(prefix: string): any {
  return new Proxy({}, { get: (_, name: string) => new Term(prefix + name, '', /(Date|Utc)$/.test(name)) });
}

/** Returns a value as an OData literal (URL conventions 4.01, section 5.1.1.14). */
function literalOf(value: unknown, { isDate }: Term): string {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'string') return isDate ? dateOf(value) : `'${value.replaceAll("'", "''")}'`;
  if (value === Infinity) return 'INF';
  return value === -Infinity ? '-INF' : `${value}`;
}

/** Returns a date literal: a day is its midnight, a time without an offset is UTC, and all fraction digits are kept. */
function dateOf(text: string): string {
  const [, day, time = 'T00:00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? [];
  if (!day) throw new RangeError(`'${text}' is not a date such as 2026-01-31T09:30:00.`);
  return day + time + zone;
}
