import type { Expression } from './ast.ts';
import { mismatch } from './bind-faults.ts';
import type { BoundExpression } from './bound-ast.ts';
import { limitError } from './limits.ts';
import { type EntityModel, isPrimitive } from './model.ts';
import { ODataError } from './odata-error.ts';

/** A row, or an element of a collection, that names are resolved against. */
export interface Variable {
  readonly id: number;
  /** A primitive type, or the name of a type in the model. */
  readonly type: string;
  readonly nullable: boolean;
}

const aliasDepthMax = 16;

/** How properties are used. A property can be excluded from each use. */
export type Use = 'filterable' | 'sortable';

/** Resolves the names and checks the types of one expression. */
export type BindExpression = (binder: Binder, node: Expression) => BoundExpression;

/** State of binding one expression. */
export class Binder {
  readonly #bindExpression: BindExpression;
  readonly model: EntityModel;
  readonly aliases: ReadonlyMap<string, Expression>;
  /** Values of the aliases used so far. */
  readonly usedAliases: Set<Expression>;
  readonly now: () => Date;
  /** The instance that the option applies to: `$this` and unqualified names. */
  self: Variable;
  /** `$it`. Undefined inside `$expand`, where it is the outer row. */
  readonly it: Variable | undefined;
  readonly variables = new Map<string, Variable>();
  use: Use;
  #ids: { next: number };
  #budget: { left: number; readonly max: number };
  #openAliases: string[] = [];

  constructor(settings: {
    bindExpression: BindExpression;
    model: EntityModel;
    aliases: ReadonlyMap<string, Expression>;
    usedAliases: Set<Expression>;
    now: () => Date;
    type: string;
    use: Use;
    nested: boolean;
    nodesMax: number;
  }) {
    this.#bindExpression = settings.bindExpression;
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

  /** Binds an expression. Expressions nest, and this method keeps their modules free of import cycles. */
  expression(node: Expression): BoundExpression {
    this.#spend(node.offset);
    return this.#bindExpression(this, node);
  }

  /** Binds an expression that must be a condition. */
  condition(node: Expression, hint?: string): BoundExpression {
    const bound = this.expression(node);
    if (bound.type !== 'Edm.Boolean' && bound.type !== 'null') {
      mismatch(`Expected a condition, found ${bound.type}${hint === undefined ? '' : ` (${hint})`}`, node.offset);
    }
    return bound;
  }

  newVariable(type: string): Variable {
    return { id: this.#ids.next++, type, nullable: isPrimitive(type) };
  }

  /** Counts a bound node. Aliases can repeat their values, so the nodes are counted again here. */
  #spend(offset: number): void {
    if (--this.#budget.left < 0) throw limitError('nodesMax', this.#budget.max, offset);
  }

  /** Binds the value of an alias in the scope of the option, where lambda variables are not visible. */
  withAlias<T>(name: string, offset: number, bind: (value: Expression) => T): T {
    const value = this.aliases.get(name);
    if (value === undefined || this.#openAliases.includes(name)) {
      const message = value === undefined ? `@${name} has no value in the query.` : `@${name} refers to itself.`;
      throw new ODataError('unknown_alias', message, { offset });
    }
    // Each alias can nest up to depthMax, and the stack must hold all of them.
    if (this.#openAliases.length >= aliasDepthMax) {
      const message = `Aliases refer to each other too deeply: the limit is ${aliasDepthMax}.`;
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
