/** Primitive types of properties and expressions. */
export type PrimitiveType =
  | 'Edm.String'
  | 'Edm.Boolean'
  | 'Edm.Int16'
  | 'Edm.Int32'
  | 'Edm.Int64'
  | 'Edm.Decimal'
  | 'Edm.Double'
  | 'Edm.Date'
  | 'Edm.DateTimeOffset'
  | 'Edm.TimeOfDay'
  | 'Edm.Duration'
  | 'Edm.Guid';

/** A property: its type and permitted uses. */
export interface PropertyModel {
  /** A primitive type, or the name of a type in the model. */
  readonly type: PrimitiveType | (string & {});
  /** Default true. */
  readonly nullable?: boolean;
  /** Default false. */
  readonly collection?: boolean;
  /** Whether `$expand` can name it. Default false. */
  readonly expandable?: boolean;
  /** Whether `$select` can name it. Default true. */
  readonly selectable?: boolean;
  /** Whether `$filter` can use it. Default true. */
  readonly filterable?: boolean;
  /** Whether `$orderby` can use it. Default true. */
  readonly sortable?: boolean;
  /** Hides the property, also from messages and suggestions. Default false. */
  readonly hidden?: boolean;
}

/** An entity or complex type. */
export interface StructuredType {
  readonly properties: Readonly<Record<string, PropertyModel>>;
}

/** The types and properties that a query can name. */
export interface EntityModel {
  readonly types: Readonly<Record<string, StructuredType>>;
}

const primitiveTypes: ReadonlySet<string> = new Set<PrimitiveType>([
  ...(['Edm.String', 'Edm.Boolean', 'Edm.Int16', 'Edm.Int32', 'Edm.Int64', 'Edm.Decimal', 'Edm.Double'] as const),
  ...(['Edm.Date', 'Edm.DateTimeOffset', 'Edm.TimeOfDay', 'Edm.Duration', 'Edm.Guid'] as const),
]);

export const isPrimitive = (type: string): type is PrimitiveType => primitiveTypes.has(type);

/**
 * Returns the type of a name. Throws TypeError for an unknown name, which is a fault of the model and not of the query.
 */
export function structuredType(model: EntityModel, name: string): StructuredType {
  const type = Object.hasOwn(model.types, name) ? model.types[name] : undefined;
  if (type === undefined) throw new TypeError(`The entity model has no type ${name}.`);
  return type;
}

export function propertyOf(type: StructuredType, name: string): PropertyModel | undefined {
  const property = Object.hasOwn(type.properties, name) ? type.properties[name] : undefined;
  return property?.hidden === true ? undefined : property;
}

export function visibleNames(type: StructuredType): string[] {
  return Object.keys(type.properties).filter((name) => type.properties[name]?.hidden !== true);
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

/**
 * Returns whether a type has infinity. Edm.Double follows IEEE 754. In other types, overflow is null (OData Part 2,
 * 5.1.1.2).
 */
export const hasInfinity = (type: string): boolean => type === 'Edm.Double';
