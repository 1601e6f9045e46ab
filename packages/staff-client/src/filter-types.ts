import type { StaffMemberDetailDto } from '@rostergate/staff-spec';

/** A condition of a `$filter`. Its `toString()` is the text that OData has for it. */
export interface Condition {
  /** True where this and all others are. */
  and(...others: Condition[]): Condition;
  /** True where this or one of the others is. */
  or(...others: Condition[]): Condition;
  /** True where this is not. */
  not(): Condition;
  toString(): string;
}

declare const valueType: unique symbol;

/** Something of a type that values can be compared with: a field, or what is made of fields. */
export interface Operand<Value> {
  readonly [valueType]?: Value;
  eq(value: Value | Operand<Value> | null): Condition;
  ne(value: Value | Operand<Value> | null): Condition;
  /** Whether it is one of these; of none it never is. */
  in(values: readonly (Value | null)[]): Condition;
}

/** What has an order. Null is neither less nor greater than anything. */
export interface OrderedOperand<Value> extends Operand<Value> {
  gt(value: Value | Operand<Value>): Condition;
  ge(value: Value | Operand<Value>): Condition;
  lt(value: Value | Operand<Value>): Condition;
  le(value: Value | Operand<Value>): Condition;
}

/** A text. Letter case counts: make both sides lower with `toLower()` where it should not. */
export interface TextOperand extends OrderedOperand<string> {
  startsWith(text: string | TextOperand): Condition;
  endsWith(text: string | TextOperand): Condition;
  contains(text: string | TextOperand): Condition;
  toLower(): TextOperand;
  toUpper(): TextOperand;
  trim(): TextOperand;
  concat(text: string | TextOperand): TextOperand;
  /** From a position, counted from 0, of at most so many characters. */
  substring(start: number, length?: number): TextOperand;
  length(): NumberOperand;
  /** Position of the first, counted from 0; -1 where there is none. */
  indexOf(text: string | TextOperand): NumberOperand;
}

/** A number. */
export interface NumberOperand extends OrderedOperand<number> {
  add(number: number | NumberOperand): NumberOperand;
  sub(number: number | NumberOperand): NumberOperand;
  mul(number: number | NumberOperand): NumberOperand;
  div(number: number | NumberOperand): NumberOperand;
  mod(number: number | NumberOperand): NumberOperand;
  round(): NumberOperand;
  floor(): NumberOperand;
  ceiling(): NumberOperand;
}

/** A date with its time of day: compared with a `Date`, or with a text as answers have it, UTC without an offset. */
export interface DateOperand extends OrderedOperand<Date | string> {
  year(): NumberOperand;
  month(): NumberOperand;
  day(): NumberOperand;
  hour(): NumberOperand;
  minute(): NumberOperand;
  second(): NumberOperand;
}

/** A flag is a condition by itself. */
export interface FlagOperand extends Operand<boolean>, Condition {
  toString(): string;
}

/** A collection of which any or all items can be asked. */
export interface CollectionOperand<Item> {
  /** Whether an item meets the condition; without one, whether there are any. */
  any(condition?: (item: Fields<Item>) => Condition): Condition;
  /** Whether every item meets the condition, which is true of none. */
  all(condition: (item: Fields<Item>) => Condition): Condition;
}

/** The contract writes dates as texts: it is their names that tell. */
type DateName = `${string}Date` | `${string}Utc`;

type FieldOf<Name, Value> = Value extends readonly (infer Item)[]
  ? CollectionOperand<Item>
  : Value extends boolean
    ? FlagOperand
    : Value extends number
      ? NumberOperand
      : Name extends DateName
        ? DateOperand
        : TextOperand;

/** The fields of an entity, as conditions are made of them. */
export type Fields<Entity> = {
  readonly [Name in keyof Entity]-?: FieldOf<
    Name,
    NonNullable<Entity[Name]> extends boolean ? boolean : NonNullable<Entity[Name]>
  >;
};

/** Collections that no condition may go over. */
type Unfiltered = 'TTCMTags' | 'AvailableProfiles' | 'BadgeIds';

/** The fields of a person that conditions can be made of. */
export type StaffFields = Fields<Omit<StaffMemberDetailDto, Unfiltered>>;
