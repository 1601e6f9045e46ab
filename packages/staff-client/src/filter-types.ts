import type { StaffMemberDetailDto } from '@rostergate/staff-spec';

/** A condition of a `$filter`. Its `toString()` returns the OData text. */
export interface Condition {
  /** True if this and all others are. */
  and(...others: Condition[]): Condition;
  /** True if this or one of the others is. */
  or(...others: Condition[]): Condition;
  /** True if this is not. */
  not(): Condition;
  toString(): string;
}

declare const valueType: unique symbol;

/** A field or an expression of fields, comparable with values of its type. */
export interface Operand<Value> {
  readonly [valueType]?: Value;
  eq(value: Value | Operand<Value> | null): Condition;
  ne(value: Value | Operand<Value> | null): Condition;
  /** True if it is one of these values; false for an empty list. */
  in(values: readonly (Value | null)[]): Condition;
}

/** An operand with an order. Null is neither less nor greater than any value. */
export interface OrderedOperand<Value> extends Operand<Value> {
  gt(value: Value | Operand<Value>): Condition;
  ge(value: Value | Operand<Value>): Condition;
  lt(value: Value | Operand<Value>): Condition;
  le(value: Value | Operand<Value>): Condition;
}

/** A text. Comparisons are case-sensitive: use `toLower()` on both sides to ignore case. */
export interface TextOperand extends OrderedOperand<string> {
  startsWith(text: string | TextOperand): Condition;
  endsWith(text: string | TextOperand): Condition;
  contains(text: string | TextOperand): Condition;
  toLower(): TextOperand;
  toUpper(): TextOperand;
  trim(): TextOperand;
  concat(text: string | TextOperand): TextOperand;
  /** The text from a zero-based position, of at most `length` characters. */
  substring(start: number, length?: number): TextOperand;
  length(): NumberOperand;
  /** Zero-based position of the first occurrence; -1 if there is none. */
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

/** A date with its time of day: comparable with a `Date`, or with a text as in responses, which is UTC without an offset. */
export interface DateOperand extends OrderedOperand<Date | string> {
  year(): NumberOperand;
  month(): NumberOperand;
  day(): NumberOperand;
  hour(): NumberOperand;
  minute(): NumberOperand;
  second(): NumberOperand;
}

/** A flag, which is a condition by itself. */
export interface FlagOperand extends Operand<boolean>, Condition {
  toString(): string;
}

/** A collection with conditions on any or all of its items. */
export interface CollectionOperand<Item> {
  /** True if an item meets the condition; without a condition, if there is an item. */
  any(condition?: (item: Fields<Item>) => Condition): Condition;
  /** True if every item meets the condition, also for an empty collection. */
  all(condition: (item: Fields<Item>) => Condition): Condition;
}

/** Dates are texts in the contract; their names identify them. */
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

/** The fields of an entity as operands of conditions. */
export type Fields<Entity> = {
  readonly [Name in keyof Entity]-?: FieldOf<
    Name,
    NonNullable<Entity[Name]> extends boolean ? boolean : NonNullable<Entity[Name]>
  >;
};

/** Collections without conditions. */
type Unfiltered = 'TTCMTags' | 'AvailableProfiles' | 'BadgeIds';

/** The fields of a person for conditions. */
export type StaffFields = Fields<Omit<StaffMemberDetailDto, Unfiltered>>;
