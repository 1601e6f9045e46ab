import type { Expression } from './ast.ts';
import { limitError } from './limits.ts';
import { type EntityModel, isPrimitive, type PrimitiveType } from './model.ts';
import { ODataError } from './odata-error.ts';

/** What a name can be bound against: the row, or an element of a collection. */
export interface Variable {
  readonly id: number;
  /** Primitive, or the name of a type in the model. */
  readonly type: string;
  readonly nullable: boolean;
}

const aliasDepthMax = 16;

/** Where properties are about to be used; a property can be barred from each. */
export type Use = 'filterable' | 'sortable';

/** State of binding one expression. */
export class Binder {
  readonly model: EntityModel;
  readonly aliases: ReadonlyMap<string, Expression>;
  /** Values of the aliases that have been used so far. */
  readonly usedAliases: Set<Expression>;
  readonly now: () => Date;
  /** The instance the option applies to: `$this`, and what plain names belong to. */
  self: Variable;
  /** `$it`. Undefined inside `$expand`, where it means the outer row. */
  readonly it: Variable | undefined;
  readonly variables = new Map<string, Variable>();
  use: Use;
  #ids: { next: number };
  #budget: { left: number; readonly max: number };
  #openAliases: string[] = [];

  constructor(settings: {
    model: EntityModel;
    aliases: ReadonlyMap<string, Expression>;
    usedAliases: Set<Expression>;
    now: () => Date;
    type: string;
    use: Use;
    nested: boolean;
    nodesMax: number;
  }) {
    this.model = settings.model;
    this.aliases = settings.aliases;
    this.usedAliases = settings.usedAliases;
    this.now = settings.now;
    this.self = { id: 0, type: settings.type, nullable: isPrimitive(settings.type) };
    this.it = settings.nested ? undefined : this.self;
    this.use = settings.use;
    this.#ids = { next: 1 };
    this.#budget = { left: settings.nodesMax, max: settings.nodesMax };
  }

  newVariable(type: string): Variable {
    return { id: this.#ids.next++, type, nullable: isPrimitive(type) };
  }

  /** Aliases can repeat what they stand for, so the bound tree is counted again. */
  spend(offset: number): void {
    if (--this.#budget.left < 0) throw limitError('nodesMax', this.#budget.max, offset);
  }

  /** Binds the value of an alias in the scope of the option; lambda variables are not seen there. */
  withAlias<T>(name: string, offset: number, bind: (value: Expression) => T): T {
    const value = this.aliases.get(name);
    if (value === undefined || this.#openAliases.includes(name)) {
      const message = value === undefined ? `@${name} has no value in the query.` : `@${name} refers to itself.`;
      throw new ODataError('unknown_alias', message, { offset });
    }
    // Each may nest as deep as depthMax allows, and the stack must hold them all.
    if (this.#openAliases.length >= aliasDepthMax) {
      const message = `Aliases refer to aliases too often: more than ${aliasDepthMax} in a row.`;
      throw new ODataError('limit_exceeded', message, { offset });
    }
    this.#openAliases.push(name);
    this.usedAliases.add(value);
    const hidden = [...this.variables];
    this.variables.clear();
    try {
      return bind(value);
    } catch (error) {
      if (error instanceof ODataError) error.option ??= `@${name}`;
      throw error;
    } finally {
      this.#openAliases.pop();
      for (const [key, variable] of hidden) this.variables.set(key, variable);
    }
  }
}

export type Category = 'string' | 'boolean' | 'number' | 'moment' | 'date' | 'time' | 'duration' | 'guid' | 'null';

const categories: Record<PrimitiveType | 'null', Category> = {
  'Edm.String': 'string',
  'Edm.Boolean': 'boolean',
  'Edm.Int16': 'number',
  'Edm.Int32': 'number',
  'Edm.Int64': 'number',
  'Edm.Decimal': 'number',
  'Edm.Double': 'number',
  'Edm.Date': 'date',
  'Edm.DateTimeOffset': 'moment',
  'Edm.TimeOfDay': 'time',
  'Edm.Duration': 'duration',
  'Edm.Guid': 'guid',
  null: 'null',
};

export const categoryOf = (type: PrimitiveType | 'null'): Category => categories[type];

export const isWholeType = (type: string): boolean =>
  type === 'Edm.Int64' || type === 'Edm.Int32' || type === 'Edm.Int16';

/** Edm.Double follows IEEE 754. In all other types what leaves the finite numbers is null (OData Part 2, 5.1.1.2). */
export const hasInfinity = (type: string): boolean => type === 'Edm.Double';
