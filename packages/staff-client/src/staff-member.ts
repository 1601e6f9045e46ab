import type { StaffMemberDetailDto } from '@rostergate/staff-spec';
import type { Condition, Fields } from './filter-types.ts';

/** The name of a field of a person. */
export type StaffField = keyof StaffMemberDetailDto;

/** A collection of a person that `expand` takes. */
export type StaffExpansion = 'Tags' | 'Skillset' | 'Profiles';

/** An order of a list: a field with one value, ascending unless followed by `desc`. */
export type StaffOrder = ScalarField | `${ScalarField} ${'asc' | 'desc'}`;

/** Options of an expanded collection: `{ select: ['CategoryName'], top: 5 }`. */
export interface NestedOptions<Item> {
  /** Condition for items: `(tag) => tag.CategoryName.eq('Specialty')`. */
  readonly filter?: ((item: Fields<Item>) => Condition) | undefined;
  /** Fields of an item to return. */
  readonly select?: readonly (keyof Item & string)[] | undefined;
  /** Fields to order by: `['CategoryName desc']`. */
  readonly orderby?: readonly NestedOrder<Item>[] | undefined;
  /** Maximum number of items of each person. */
  readonly top?: number | undefined;
  /** Number of items of each person to skip. */
  readonly skip?: number | undefined;
}

type NestedOrder<Item> = ScalarOf<Item> | `${ScalarOf<Item>} ${'asc' | 'desc'}`;
type ScalarOf<Item> = {
  [Name in keyof Item & string]-?: NonNullable<Item[Name]> extends object ? never : Name;
}[keyof Item & string];

/** Collections to return: their names, or an object with the options of each: `{ Tags: { top: 5 }, Skillset: true }`. */
export type StaffExpand = readonly StaffExpansion[] | NestedExpand;

/** Collections to return, with the options of each. */
export type NestedExpand = {
  readonly [Name in StaffExpansion]?: true | NestedOptions<ItemIn<StaffMemberDetailDto[Name]>> | undefined;
};
type ItemIn<Items> = NonNullable<Items> extends readonly (infer Item)[] ? Item : never;

type Collection = StaffExpansion | 'TTCMTags' | 'AvailableProfiles' | 'BadgeIds';
type ScalarField = Exclude<StaffField, Collection>;

/** A list of names with a literal type; undefined for none. */
type Names<Name extends string = string> = readonly Name[] | undefined;

/** Names of collections, or an object with their options. */
type Expansion = Names | NestedExpand;

/** The fields and collections that a call requests, from which `StaffMember` derives its type. */
export interface StaffShape {
  readonly expand: Expansion;
  readonly includes: Names;
  readonly select: Names;
  readonly rawExpand: string | undefined;
  readonly rawSelect: string | undefined;
}

/** The default shape: all fields and no collection. */
export interface PlainShape extends StaffShape {
  readonly expand: undefined;
  readonly includes: undefined;
  readonly select: undefined;
  readonly rawExpand: undefined;
  readonly rawSelect: undefined;
}

/**
 * A person as returned by a call. A requested collection is an array, any other is null; if only known at run time, its
 * type has both. With `select`, only the named fields and the requested collections exist.
 */
export type StaffMember<Shape extends StaffShape = PlainShape> = Selected<Filled<Shape>, Shape>;

type Filled<Shape extends StaffShape> = {
  [Name in StaffField]-?: Name extends Collection
    ? Name extends 'TTCMTags'
      ? Fill<'Tags', NonNullable<StaffMemberDetailDto[Name]>, Shape>
      : Fill<Name, Nested<NonNullable<StaffMemberDetailDto[Name]>, Name, Shape['expand']>, Shape>
    : Exclude<StaffMemberDetailDto[Name], undefined>;
};

type Fill<Name, Items, Shape extends StaffShape> =
  Name extends SurelyAsked<Shape> ? Items : Name extends Possible<Shape> ? Items | null : null;

/** The items of a collection, with the fields that the options of `expand` select. */
type Nested<Items, Name, Expand> = Expand extends Names
  ? Items
  : Name extends keyof Expand
    ? Narrowed<Items, Expand[Name]>
    : Items;
type Narrowed<Items, Options> = Options extends { readonly select: infer Select }
  ? Picked<Items, Extract<Select, Names>>
  : Items;
type Picked<Items, Select extends Names> = Items extends (infer Item)[]
  ? [Select] extends [undefined | readonly []]
    ? Items
    : IsSure<Select> extends true
      ? Pick<Item, keyof Item & ItemOf<Select>>[]
      : Partial<Item>[]
  : never;

/** `Value` if the list has the name, null if not, and either if only known at run time. */
export type IfListed<Name, List extends Names, Value> =
  Name extends Sure<List> ? Value : Name extends ItemOf<List> ? Value | null : null;

type Selected<Person, Shape extends StaffShape> = [Shape['rawSelect']] extends [undefined]
  ? [Shape['select']] extends [undefined | readonly []]
    ? Person
    : IsSure<Shape['select']> extends true
      ? Chosen<Person, Sure<Shape['select']> | SurelyAsked<Shape>, Asked<Shape>>
      : Partial<Person>
  : Partial<Person>;

/** A person with some fields, and possibly others. */
type Chosen<Person, Surely, Maybe> = [Maybe] extends [Surely]
  ? Pick<Person, keyof Person & Surely>
  : Pick<Person, keyof Person & Surely> & Partial<Pick<Person, keyof Person & Maybe>>;

type SurelyAsked<Shape extends StaffShape> = Sure<Shape['expand']> | Sure<Shape['includes']>;
type Asked<Shape extends StaffShape> = ItemOf<Shape['expand']> | ItemOf<Shape['includes']>;
type Possible<Shape extends StaffShape> =
  | Asked<Shape>
  | (Shape['rawExpand'] extends undefined ? never : StaffExpansion);
type ItemOf<List extends Expansion> = List extends readonly (infer Name)[]
  ? Name
  : List extends undefined
    ? never
    : keyof List;

/** Names that are in every list of a union. */
type Sure<List extends Expansion, Name = ItemOf<List>> = Name extends unknown
  ? Holds<List, Name> extends true
    ? Name
    : never
  : never;

/** Whether each list or object of a union has a name; false for an array of unknown length. */
type Holds<List, Name> = List extends readonly string[]
  ? number extends List['length']
    ? false
    : true extends { [Index in keyof List]: [List[Index]] extends [Name] ? true : false }[number]
      ? true
      : false
  : Name extends keyof List
    ? undefined extends List[Name]
      ? false
      : true
    : false;

type IsSure<List extends Names> = [ItemOf<List>] extends [Sure<List>] ? true : false;
