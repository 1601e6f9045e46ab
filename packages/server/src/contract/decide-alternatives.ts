export type Schema = Record<string, unknown>;
export type ResolveSchema = (schema: unknown) => Schema | undefined;

export type Alternatives = 'oneOf' | 'anyOf';

/**
 * Rewrites the alternatives of a schema so that a value is checked against one of them: chosen by its type, and for
 * objects by a tag, a required property with different constant values in each alternative. `discriminator` names the
 * tag, and its values where the alternatives have none. Returns false and changes nothing when no property decides.
 */
export function decideAlternatives(schema: Schema, keyword: Alternatives, resolve: ResolveSchema): boolean {
  const branches = schema[keyword] as readonly unknown[];
  const kinds = branches.map((branch) => kindOf(branch, resolve));
  if (kinds.includes(undefined)) return false;
  const objects = branches.filter((_, i) => kinds[i] === 'object');
  const others = branches.filter((_, i) => kinds[i] !== 'object');
  if (objects.length < 2) return new Set(kinds).size === kinds.length;
  const tag = findTag(objects, schema.discriminator as Discriminator | undefined, resolve);
  if (tag === undefined) return false;
  const { name } = tag;
  const chosen = {
    type: 'object',
    required: [name],
    properties: { [name]: { enum: tag.values.flat() } },
    allOf: objects.map((branch, i) => ({
      if: { required: [name], properties: { [name]: { enum: tag.values[i] } } },
      // biome-ignore lint/suspicious/noThenProperty: this is a keyword of JSON Schema.
      then: branch,
    })),
  };
  const decided =
    others.length === 0
      ? chosen
      : // biome-ignore lint/suspicious/noThenProperty: this is a keyword of JSON Schema.
        { if: { type: 'object' }, then: chosen, else: others.length === 1 ? others[0] : { [keyword]: others } };
  delete schema[keyword];
  delete schema.discriminator;
  schema.allOf = [...((schema.allOf as unknown[] | undefined) ?? []), decided];
  return true;
}

interface Discriminator {
  readonly propertyName?: unknown;
  readonly mapping?: Readonly<Record<string, unknown>>;
}

interface Tag {
  readonly name: string;
  /** The values of each alternative. */
  readonly values: readonly (readonly unknown[])[];
}

/** Returns the one JSON type that a schema allows; undefined where it allows several, or null and objects. */
function kindOf(branch: unknown, resolve: ResolveSchema): string | undefined {
  const parts = partsOf(branch, resolve);
  const types = new Set(parts.flatMap(({ type }) => (typeof type === 'string' ? [type] : [])));
  const [type] = types;
  if (types.size !== 1) return undefined;
  if (parts.some(({ nullable }) => nullable === true)) {
    // The notation for `null` itself, for which OpenAPI 3.0 has no type.
    const isNull = parts.some((part) => Array.isArray(part.enum) && part.enum.every((value) => value === null));
    return isNull ? 'null' : undefined;
  }
  return type === 'integer' ? 'number' : type;
}

/** Returns a schema and all that apply with it: its references and the entries of `allOf`. */
function partsOf(schema: unknown, resolve: ResolveSchema): Schema[] {
  const parts = new Set<Schema>();
  const pending = [schema];
  while (pending.length > 0) {
    const part = resolve(pending.pop());
    if (part === undefined || parts.has(part)) continue;
    parts.add(part);
    if (Array.isArray(part.allOf)) pending.push(...part.allOf);
  }
  return [...parts];
}

function findTag(
  objects: readonly unknown[],
  discriminator: Discriminator | undefined,
  resolve: ResolveSchema,
): Tag | undefined {
  const parts = objects.map((branch) => partsOf(branch, resolve));
  const declared = typeof discriminator?.propertyName === 'string' ? [discriminator.propertyName] : [];
  const named = (parts[0] as Schema[]).flatMap((part) => Object.keys((part.properties as object | undefined) ?? {}));
  for (const name of new Set([...declared, ...named])) {
    const values = parts.map((part, i) => {
      if (!part.some(({ required }) => Array.isArray(required) && required.includes(name))) return [];
      const constants = constantsOf(part, name, resolve);
      return constants.length > 0 || name !== declared[0]
        ? constants
        : mappedValues(objects[i], discriminator?.mapping);
    });
    const all = values.flat();
    if (values.every((list) => list.length > 0) && new Set(all).size === all.length) return { name, values };
  }
  return undefined;
}

function constantsOf(parts: readonly Schema[], name: string, resolve: ResolveSchema): readonly unknown[] {
  for (const { properties } of parts) {
    if (typeof properties !== 'object' || properties === null || !Object.hasOwn(properties, name)) continue;
    for (const part of partsOf((properties as Record<string, unknown>)[name], resolve)) {
      const values = Array.isArray(part.enum) ? part.enum : 'const' in part ? [part.const] : [];
      const isScalar = values.every((value) => typeof value !== 'object' || value === null);
      if (values.length > 0 && isScalar && part.nullable !== true) return values;
    }
  }
  return [];
}

/** Returns the values of `discriminator` for an alternative: the names mapped to it, otherwise its own name. */
function mappedValues(branch: unknown, mapping: Readonly<Record<string, unknown>> = {}): string[] {
  const { $ref } = branch as { $ref?: unknown };
  if (typeof $ref !== 'string') return [];
  const name = $ref.slice($ref.lastIndexOf('/') + 1);
  const mapped = Object.entries(mapping).filter(([, target]) => target === $ref || target === name);
  return mapped.length > 0 ? mapped.map(([value]) => value) : [name];
}
