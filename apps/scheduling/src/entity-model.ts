import type { EntityModel, PrimitiveType, PropertyModel } from '@rostergate/odata';
import { type components, document } from '@rostergate/staff-spec';

/** How a value of the contract is stored and written. `instant` has no offset in responses, `utc` ends in Z. */
export type ScalarKind = 'text' | 'whole' | 'decimal' | 'flag' | 'instant' | 'utc' | 'document';

export interface ScalarProperty {
  readonly name: string;
  readonly kind: ScalarKind;
  readonly nullable: boolean;
  /** Accepted in requests and never returned. */
  readonly hidden: boolean;
  /** For administrators only; null for others. */
  readonly adminOnly: boolean;
}

/** A property that contains one object, or an array of objects. */
export interface StructuredProperty {
  readonly name: string;
  /** Name of the element's schema. */
  readonly element: string;
}

/** A schema of the contract, its properties in the contract's order. */
export interface Entity {
  readonly scalars: readonly ScalarProperty[];
  readonly collections: readonly StructuredProperty[];
  readonly objects: readonly StructuredProperty[];
  /** Names of all properties that a response can contain, in the contract's order. */
  readonly names: readonly string[];
  /** For administrators only: for others every collection of it is empty. */
  readonly adminOnly: boolean;
}

/** The collections that `$expand`, `any` and `all` accept. Tags within a category are always included. */
export const navigations = ['Tags', 'Skillset', 'Profiles'];

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly writeOnly?: boolean;
  readonly additionalProperties?: boolean;
  readonly 'x-admin-only'?: boolean;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Reads the root schemas, and the schemas that they refer to, from the contract. */
export function createEntities(
  roots: readonly string[],
  schemas: Readonly<Record<string, Schema>>,
): ReadonlyMap<string, Entity> {
  const entities = new Map<string, Entity>();
  const resolve = (schema: Schema): Schema => {
    const resolved = schema.$ref === undefined ? schema : schemas[refName(schema)];
    if (resolved === undefined) throw new Error(`The contract has no schema ${schema.$ref}.`);
    return resolved;
  };
  const visit = (name: string): void => {
    const { properties = {}, 'x-admin-only': isAdminOnly = false } = resolve({ $ref: name });
    const scalars: ScalarProperty[] = [];
    const collections: StructuredProperty[] = [];
    const objects: StructuredProperty[] = [];
    for (const [property, declared] of Object.entries(properties)) {
      const resolved = resolve(declared);
      const items = resolved.items ?? {};
      if (resolved.type === 'array' && resolve(items).additionalProperties !== true) {
        collections.push({ name: property, element: refName(items) });
      } else if (resolved.type === 'object') {
        objects.push({ name: property, element: refName(declared) });
      } else {
        const kind = kindOf(declared, resolved, `${name}.${property}`);
        const { nullable = false, writeOnly = false, 'x-admin-only': adminOnly = false } = resolved;
        scalars.push({ name: property, kind, nullable, hidden: writeOnly, adminOnly });
      }
    }
    const hidden = new Set(scalars.filter((scalar) => scalar.hidden).map((scalar) => scalar.name));
    const names = Object.keys(properties).filter((property) => !hidden.has(property));
    entities.set(name, { scalars, collections, objects, names, adminOnly: isAdminOnly });
    for (const { element } of [...collections, ...objects]) if (!entities.has(element)) visit(element);
  };
  roots.forEach(visit);
  return entities;
}

const refName = ({ $ref = '' }: Schema): string => $ref.slice($ref.lastIndexOf('/') + 1);

function kindOf(declared: Schema, { type, format }: Schema, place: string): ScalarKind {
  if (refName(declared) === 'LocalDateTime') return 'instant';
  if (type === 'string') return format === 'date-time' ? 'utc' : 'text';
  if (type === 'integer') return 'whole';
  if (type === 'number') return 'decimal';
  if (type === 'boolean') return 'flag';
  if (type === 'array') return 'document';
  throw new Error(`No column type fits the contract's ${place}.`);
}

const edmTypes: Readonly<Record<Exclude<ScalarKind, 'document'>, PrimitiveType>> = {
  text: 'Edm.String',
  whole: 'Edm.Int32',
  decimal: 'Edm.Decimal',
  flag: 'Edm.Boolean',
  instant: 'Edm.DateTimeOffset',
  utc: 'Edm.DateTimeOffset',
};

/** Returns the model that query options are checked against: the root schema and every schema within it. */
function createEntityModel(entities: ReadonlyMap<string, Entity>, root: string): EntityModel {
  const types: Record<string, { properties: Record<string, PropertyModel> }> = {};
  const visit = (name: string): void => {
    const { scalars, collections } = entities.get(name) as Entity;
    const properties: Record<string, PropertyModel> = {};
    types[name] = { properties };
    for (const { name: property, kind, nullable, hidden } of scalars) {
      if (kind === 'document') continue;
      properties[property] = { type: edmTypes[kind], nullable, hidden };
    }
    for (const { name: property, element } of collections) {
      const expandable = name === root && navigations.includes(property);
      properties[property] = { type: element, collection: true, expandable, filterable: expandable || name !== root };
      if (types[element] === undefined) visit(element);
    }
  };
  visit(root);
  return { types };
}

export const staffMemberType = 'StaffMemberDetailDto';
const responseSchemas = [staffMemberType, 'StaffLocation', 'PayModifier', 'RequestLimit'];
const schemas = (document.components?.schemas ?? {}) as Readonly<Record<string, Schema>>;
const entities = createEntities(responseSchemas, schemas);
export const entityModel = createEntityModel(entities, staffMemberType);

export function entityOf(name: string): Entity {
  const entity = entities.get(name);
  if (entity === undefined) throw new Error(`The contract has no schema ${name}.`);
  return entity;
}

export type Schemas = components['schemas'];
export type StaffMember = Schemas['StaffMemberDetailDto'];
