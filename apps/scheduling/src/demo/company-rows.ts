import { farOff } from '../store/location-tags.ts';
import type { Flag, Row, Tables } from '../store/tables.ts';
import type { Random } from './random.ts';

/** The tables of a company, ordered so that references exist before they are used. */
export const companyTables = [
  'companies',
  'tag_categories',
  'tags',
  'tasks',
  'profiles',
  'locations',
  'location_tags',
  'staff',
  'staff_tags',
  'staff_skillset',
  'staff_profiles',
  'staff_locations',
  'staff_location_tags',
  'staff_badges',
  'pay_modifiers',
  'pay_modifier_tags',
  'request_limits',
  'request_limit_shifts',
  'request_limit_staff',
] as const satisfies readonly (keyof Tables)[];

type CompanyTable = (typeof companyTables)[number];
export type CompanyRows = { readonly [T in CompanyTable]: Row<T>[] };

/** Tables with row numbers, each with the column of the numbers. */
export const rowColumns = {
  tag_categories: 'CategoryKey',
  tags: 'TagKey',
  tasks: 'TaskRow',
  profiles: 'ProfileRow',
  locations: 'LocationRow',
  staff: 'StaffRow',
  pay_modifiers: 'PayModifierRow',
  request_limits: 'LimitRow',
} as const satisfies Partial<Record<CompanyTable, string>>;

export type NumberedTable = keyof typeof rowColumns;

export function createCompanyRows(): CompanyRows {
  return Object.fromEntries(companyTables.map((table) => [table, []])) as unknown as CompanyRows;
}

export interface DemoCompanyOptions extends PersonDetails {
  readonly companyKey: string;
  readonly name: string;
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
