import type { StaffMemberDetailDto, StaffMemberPage } from '@rostergate/staff-spec';

/** The name of a field of a person. */
export type StaffField = keyof StaffMemberDetailDto;

/** A collection of a person that `expand` takes. */
export type StaffExpansion = 'Tags' | 'Skillset' | 'Profiles';

/** What a list can be ordered by: a field that holds one value, ascending unless it says `desc`. */
export type StaffOrder = ScalarField | `${ScalarField} ${'asc' | 'desc'}`;

type Collection = StaffExpansion | 'TTCMTags' | 'AvailableProfiles' | 'BadgeIds';
type ScalarField = Exclude<StaffField, Collection>;

/** Names as a call lists them, so that its type remembers which; undefined where there are none. */
type Names<Name extends string = string> = readonly Name[] | undefined;

/**
 * What a call asks for of each person: the lists as they were written, and the type of a raw `$expand` and `$select`.
 * By it `StaffMember` knows what is there.
 */
export interface StaffShape {
  readonly expand: Names;
  readonly includes: Names;
  readonly select: Names;
  readonly rawExpand: string | undefined;
  readonly rawSelect: string | undefined;
}

/** A person with all fields and no collection: what a call gets that asks for nothing else. */
export interface PlainShape extends StaffShape {
  readonly expand: undefined;
  readonly includes: undefined;
  readonly select: undefined;
  readonly rawExpand: undefined;
  readonly rawSelect: undefined;
}

/**
 * A person as a call gets it. A collection that was expanded or included is an array, any other is null; where only the
 * running program knows, it may be both. With `select` just the named fields are there, and the collections asked for.
 */
export type StaffMember<Shape extends StaffShape = PlainShape> = Selected<Filled<Shape>, Shape>;

/** A list of people in the envelope that tells how many there are. */
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

/** What is there when a list has its name: null when it has not, and maybe null where only the running program knows. */
export type IfListed<Name, List extends Names, Value> =
  Name extends Sure<List> ? Value : Name extends ItemOf<List> ? Value | null : null;

type Selected<Person, Shape extends StaffShape> = [Shape['rawSelect']] extends [undefined]
  ? [Shape['select']] extends [undefined | readonly []]
    ? Person
    : IsSure<Shape['select']> extends true
      ? Chosen<Person, Sure<Shape['select']> | SurelyAsked<Shape>, Asked<Shape>>
      : Partial<Person>
  : Partial<Person>;

/** A person with some fields, and maybe with others. */
type Chosen<Person, Surely, Maybe> = [Maybe] extends [Surely]
  ? Pick<Person, keyof Person & Surely>
  : Pick<Person, keyof Person & Surely> & Partial<Pick<Person, keyof Person & Maybe>>;

type SurelyAsked<Shape extends StaffShape> = Sure<Shape['expand']> | Sure<Shape['includes']>;
type Asked<Shape extends StaffShape> = ItemOf<Shape['expand']> | ItemOf<Shape['includes']>;
type Possible<Shape extends StaffShape> =
  | Asked<Shape>
  | (Shape['rawExpand'] extends undefined ? never : StaffExpansion);
type ItemOf<List extends Names> = List extends readonly (infer Name)[] ? Name : never;

/** Names that are certainly in a list, whichever of several it is. */
type Sure<List extends Names, Name = ItemOf<List>> = Name extends unknown
  ? Holds<List, Name> extends true
    ? Name
    : never
  : never;

/** Whether each list of a union has a name: not an array that only the running program fills. */
type Holds<List, Name> = List extends readonly string[]
  ? number extends List['length']
    ? false
    : true extends { [Index in keyof List]: [List[Index]] extends [Name] ? true : false }[number]
      ? true
      : false
  : false;

type IsSure<List extends Names> = [ItemOf<List>] extends [Sure<List>] ? true : false;
