import type { Row, Tables } from '../store/tables.ts';

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

export type CompanyTable = (typeof companyTables)[number];
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
