import { type EntityModel, isPrimitive, type PropertyModel, visibleNames } from './model.ts';

/** An entity set of a service. */
export interface EntitySet {
  readonly name: string;
  /** The name of its entity type in the model. */
  readonly type: string;
}

/** What metadata contains besides the model. */
export interface CsdlOptions {
  readonly namespace: string;
  /** Name of the entity container. */
  readonly container: string;
  readonly entitySets: readonly EntitySet[];
  /**
   * The key of each entity type. Types without a key are complex types. A collection of entities is a navigation property
   * that contains them.
   */
  readonly keys: Readonly<Record<string, readonly string[]>>;
}

/** The metadata of a service as CSDL. */
export interface Csdl {
  /** CSDL JSON 4.01. */
  readonly json: object;
  /** Returns CSDL XML. Its version is the highest that the client accepts. */
  readonly xml: (version: '4.0' | '4.01') => string;
}

/** Returns the metadata of a service (OData CSDL 4.01). Hidden properties are left out. */
export function createCsdl(model: EntityModel, options: CsdlOptions): Csdl {
  const types = Object.entries(model.types).map(([name, type]) => {
    const key = options.keys[name] ?? [];
    const properties = visibleNames(type).map((property) =>
      describe(property, type.properties[property] as PropertyModel, options, key),
    );
    return { name, key, properties };
  });
  return { json: toJson(types, options), xml: (version) => toXml(types, options, version) };
}

interface Property {
  readonly name: string;
  /** Qualified. */
  readonly type: string;
  readonly isCollection: boolean;
  readonly isNullable: boolean;
  readonly isNavigation: boolean;
  /** Scale or precision of values, where the default has none. */
  readonly facet: readonly [name: string, value: string | number] | undefined;
}

interface Type {
  readonly name: string;
  readonly key: readonly string[];
  readonly properties: readonly Property[];
}

const facets: Readonly<Record<string, Property['facet']>> = {
  'Edm.Decimal': ['Scale', 'variable'],
  'Edm.DateTimeOffset': ['Precision', 12],
};

function describe(
  name: string,
  { type, collection = false, nullable = true }: PropertyModel,
  { namespace, keys }: CsdlOptions,
  key: readonly string[],
): Property {
  const isNavigation = keys[type] !== undefined;
  return {
    name,
    type: isPrimitive(type) ? type : `${namespace}.${type}`,
    isCollection: collection,
    isNullable: nullable && !collection && !key.includes(name),
    isNavigation,
    facet: facets[type],
  };
}

function toJson(types: readonly Type[], { namespace, container, entitySets }: CsdlOptions): object {
  const property = ({ name, type, isCollection, isNullable, isNavigation, facet }: Property) => [
    name,
    {
      ...(isNavigation && { $Kind: 'NavigationProperty' }),
      ...(isCollection && { $Collection: true }),
      ...(type !== 'Edm.String' && { $Type: type }),
      ...(isNullable && { $Nullable: true }),
      ...(facet && { [`$${facet[0]}`]: facet[1] }),
      ...(isNavigation && { $ContainsTarget: true }),
    },
  ];
  const schema = types.map(({ name, key, properties }) => [
    name,
    {
      ...(key.length > 0 ? { $Kind: 'EntityType', $Key: key } : { $Kind: 'ComplexType' }),
      ...Object.fromEntries(properties.map(property)),
    },
  ]);
  const sets = entitySets.map(({ name, type }) => [name, { $Collection: true, $Type: `${namespace}.${type}` }]);
  return {
    $Version: '4.01',
    $EntityContainer: `${namespace}.${container}`,
    [namespace]: {
      ...Object.fromEntries(schema),
      [container]: { $Kind: 'EntityContainer', ...Object.fromEntries(sets) },
    },
  };
}

function toXml(
  types: readonly Type[],
  { namespace, container, entitySets }: CsdlOptions,
  version: '4.0' | '4.01',
): string {
  const property = ({ name, type, isCollection, isNullable, isNavigation, facet }: Property) => {
    const shown = ` Name="${name}" Type="${isCollection ? `Collection(${type})` : type}"`;
    if (isNavigation) return `<NavigationProperty${shown} ContainsTarget="true"/>`;
    const nullable = isNullable ? '' : ' Nullable="false"';
    return `<Property${shown}${nullable}${facet === undefined ? '' : ` ${facet[0]}="${facet[1]}"`}/>`;
  };
  const type = ({ name, key, properties }: Type) => {
    const references = key.map((one) => `<PropertyRef Name="${one}"/>`).join('');
    const members = (references && `<Key>${references}</Key>`) + properties.map(property).join('');
    const element = key.length > 0 ? 'EntityType' : 'ComplexType';
    return `<${element} Name="${name}">${members}</${element}>`;
  };
  const sets = entitySets.map((set) => `<EntitySet Name="${set.name}" EntityType="${namespace}.${set.type}"/>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    `<edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="${version}"><edmx:DataServices>`,
    `<Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="${namespace}">`,
    ...types.map(type),
    `<EntityContainer Name="${container}">${sets.join('')}</EntityContainer>`,
    '</Schema></edmx:DataServices></edmx:Edmx>\n',
  ].join('');
}
