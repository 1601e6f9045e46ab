import type { StaffMemberDetailDto, StaffMemberPage } from '@rostergate/staff-spec';

/** The name of a field of a person. */
export type StaffField = keyof StaffMemberDetailDto;

/** A collection of a person that `expand` takes. */
export type StaffExpansion = 'Tags' | 'Skillset' | 'Profiles';

/** An order of a list: a field with one value, ascending unless followed by `desc`. */
export type StaffOrder = ScalarField | `${ScalarField} ${'asc' | 'desc'}`;

type Collection = StaffExpansion | 'TTCMTags' | 'AvailableProfiles' | 'BadgeIds';
type ScalarField = Exclude<StaffField, Collection>;

/** A list of names with a literal type; undefined for none. */
type Names<Name extends string = string> = readonly Name[] | undefined;

/** The fields and collections that a call requests, from which `StaffMember` derives its type. */
export interface StaffShape {
  readonly expand: Names;
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

/** A list of people in the envelope with their count. */
export type StaffMemberEnvelope<Shape extends StaffShape = PlainShape> = Omit<StaffMemberPage, 'value'> & {
  value: StaffMember<Shape>[];
};

type Filled<Shape extends StaffShape> = {
  [Name in StaffField]-?: Name extends Collection
    ? Fill<Name extends 'TTCMTags' ? 'Tags' : Name, NonNullable<StaffMemberDetailDto[Name]>, Shape>
    : Exclude<StaffMemberDetailDto[Name], undefined>;
};

type Fill<Name, Items, Shape extends StaffShape> =
  Name extends SurelyAsked<Shape> ? Items : Name extends Possible<Shape> ? Items | null : null;

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
type ItemOf<List extends Names> = List extends readonly (infer Name)[] ? Name : never;

/** Names that are in every list of a union. */
type Sure<List extends Names, Name = ItemOf<List>> = Name extends unknown
  ? Holds<List, Name> extends true
    ? Name
    : never
  : never;

/** Whether each list of a union has a name; false for an array of unknown length. */
type Holds<List, Name> = List extends readonly string[]
  ? number extends List['length']
    ? false
    : true extends { [Index in keyof List]: [List[Index]] extends [Name] ? true : false }[number]
      ? true
      : false
  : false;

type IsSure<List extends Names> = [ItemOf<List>] extends [Sure<List>] ? true : false;
