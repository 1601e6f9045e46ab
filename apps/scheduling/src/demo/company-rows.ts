import { farOff } from '../store/location-tags.ts';
import type { Flag, Row, Tables } from '../store/tables.ts';
import type { Random } from './random.ts';

/** The tables that a company fills, in an order in which every reference exists before it is used. */
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
/** Rows by table. */
export type CompanyRows = { readonly [T in CompanyTable]: Row<T>[] };

/** Tables that number their rows, each with the column of the numbers. */
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
  /** How the database keeps yes and no. */
  readonly flag: (value: boolean) => Flag;
  /** The last row number in use of each table that numbers its rows; counted on as rows are made. */
  readonly lastRows: Record<NumberedTable, number>;
}

/** What the parts of a company are made with. */
export interface Making extends DemoCompanyOptions {
  readonly nextRow: (table: NumberedTable) => number;
}

/** How much of something everybody has; absent, it is left to chance. */
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
