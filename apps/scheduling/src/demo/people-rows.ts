import { farOff } from '../store/location-tags.ts';
import type { Flag, Row, Tables } from '../store/tables.ts';
import type { DemoCatalogue } from './demo-catalogue.ts';
import type { Random } from './random.ts';

/** The tables of people, ordered so that references exist before they are used. */
export const peopleTables = [
  'staff',
  'staff_tags',
  'staff_skillset',
  'staff_profiles',
  'staff_locations',
  'staff_location_tags',
  'staff_badges',
  'pay_modifiers',
  'pay_modifier_tags',
  'request_limit_staff',
] as const satisfies readonly (keyof Tables)[];

export type PeopleRows = { readonly [T in (typeof peopleTables)[number]]: Row<T>[] };

/** Tables whose row numbers are assigned here, each with the column of the numbers. */
export const rowColumns = {
  staff: 'StaffRow',
  pay_modifiers: 'PayModifierRow',
} as const satisfies Partial<Record<keyof PeopleRows, string>>;

export type NumberedTable = keyof typeof rowColumns;

export function createPeopleRows(): PeopleRows {
  return Object.fromEntries(peopleTables.map((table) => [table, []])) as unknown as PeopleRows;
}

export interface DemoCompanyOptions extends PersonDetails {
  readonly companyKey: string;
  readonly name: string;
  readonly catalogue: DemoCatalogue;
  readonly staff: number;
  readonly random: Random;
  /** Converts a boolean for the database. */
  readonly flag: (value: boolean) => Flag;
  /** The highest row number in use per table; counted up as rows are created. */
  readonly lastRows: Record<NumberedTable, number>;
}

/** The inputs of all parts of a company. */
export interface DemoContext extends DemoCompanyOptions {
  readonly nextRow: (table: NumberedTable) => number;
}

/** Number of tags and skills per person; random when undefined. */
export interface PersonDetails {
  readonly tags?: number | undefined;
  readonly skills?: number | undefined;
}

export const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

export const linkTo = ({ CategoryKey, TagKey }: Row<'tags'>) => ({ CategoryKey, TagKey });

export const createTagPeriod = (random: Random) => ({
  EffectiveFromDate: `${random.integer(2018, 2025)}-0${random.integer(1, 9)}-01T00:00:00`,
  EffectiveToDate: farOff,
});
