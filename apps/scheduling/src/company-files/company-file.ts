import { entityOf, type ScalarKind, staffMemberType } from '../entity-model.ts';
import type { Tables } from '../store/tables.ts';

/** A column of a file that is a column of the file's table. */
export interface FileColumn {
  readonly name: string;
  /** Name in the table, where it differs. */
  readonly stored?: string;
  readonly kind: ScalarKind;
  /** Whether the cell may be empty. */
  readonly isNullable: boolean;
  readonly lengthMax?: number;
  /** Whether the text must not be empty. */
  readonly isFilled?: boolean;
  readonly isColour?: boolean;
}

/** Columns of a file that name a row of another file, stored as its row numbers. */
export interface Reference {
  readonly to: TargetName;
  readonly names: readonly string[];
  /** Columns of the table. */
  readonly stored: readonly string[];
  readonly isOptional?: boolean;
}

/** What owns the rows: rows of the company are few enough to be read at once, those of its people are not. */
export type Owner = 'company' | 'StaffRow' | 'PayModifierRow';

/** A file of a company's folder: one table, with names in place of row numbers. */
export interface CompanyFile {
  readonly name: string;
  readonly table: CompanyTable;
  /** What a row is called in messages. */
  readonly noun: string;
  readonly owner: Owner;
  readonly references: readonly Reference[];
  readonly columns: readonly FileColumn[];
  /** Columns of the table that identify a row within the company. */
  readonly key: readonly string[];
  /** The column of the row numbers, which the database assigns. */
  readonly numbers?: string;
  /** Whether an imported number is used for a new row, because responses show it. */
  readonly showsNumbers?: boolean;
  /** The key that is generated when the file has none. A row without it is found by its `Name`, if it has one. */
  readonly generated?: string;
  /** How references name a row of this file. */
  readonly target?: TargetName;
  /** The collection of a person that shows the rows, for the audit. */
  readonly shownIn: string;
}

export type CompanyTable = Exclude<
  keyof Tables,
  'companies' | 'accounts' | 'known_addresses' | 'access_tokens' | 'staff_documents' | 'audit'
>;

export type TargetName =
  | 'category'
  | 'tag'
  | 'task'
  | 'profile'
  | 'location'
  | 'limit'
  | 'person'
  | 'personLocation'
  | 'payModifier';

const nameMax = 400;
const tagNameMax = 40;
const text = (name: string, rest: Partial<FileColumn> = {}): FileColumn => ({
  ...{ name, kind: 'text', isNullable: true, lengthMax: nameMax },
  ...rest,
});
const required = (name: string, stored = name, lengthMax = nameMax) =>
  text(name, { stored, isNullable: false, lengthMax });
const of = (kind: ScalarKind, name: string, isNullable = true): FileColumn => ({ name, kind, isNullable });
const flag = (name: string) => of('flag', name, false);
const period = (from: string, to: string) => [of('instant', from), of('instant', to)];
const effective = period('EffectiveFromDate', 'EffectiveToDate');
const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

const category: Reference = { to: 'category', names: ['CategoryName'], stored: ['CategoryKey'] };
const tag: Reference = { to: 'tag', names: ['CategoryName', 'TagName'], stored: ['CategoryKey', 'TagKey'] };
const task: Reference = { to: 'task', names: ['TaskKey'], stored: ['TaskRow'] };
const location: Reference = { to: 'location', names: ['LocationKey'], stored: ['LocationRow'] };
const limit: Reference = { to: 'limit', names: ['RequestLimitKey'], stored: ['LimitRow'] };
const person: Reference = { to: 'person', names: ['StaffId'], stored: ['StaffRow'] };
const subjectTag = (subject: 'LocationTag' | 'TaskTag'): Reference => ({
  ...{ to: 'tag', names: [`${subject}Category`, `${subject}Name`], stored: ['', `${subject}Key`] },
  isOptional: true,
});

const longTexts = new Map([
  ['ContactInstructions', 4_000],
  ['StaffInternalId', 50],
]);
/** Set by the server: versions, the company, and the manager's name. `TimeClockKioskPIN` is in no response. */
const derived = new Set(['CompKey', 'LastModifiedDateUtc', 'Manager', 'StaffId']);
const staffColumns = entityOf(staffMemberType).scalars.flatMap(({ name, kind, nullable }): FileColumn[] => {
  if (derived.has(name)) return [];
  const isColour = name === 'BgColor' || name === 'TextColor';
  const isText = kind === 'text';
  const column = { name, kind, isNullable: nullable, isColour };
  return [isText ? { ...column, lengthMax: longTexts.get(name) ?? nameMax } : column];
});

/** The files of a company, in the order in which they are imported: a row is imported after the rows that it names. */
export const companyFiles: readonly CompanyFile[] = [
  {
    ...{ name: 'tag-categories', table: 'tag_categories', noun: 'tag category', owner: 'company', references: [] },
    columns: [required('CategoryName', 'Name', tagNameMax), flag('IsTimeClock'), of('whole', 'CategoryKey', false)],
    ...{ key: ['Name'], numbers: 'CategoryKey', showsNumbers: true, target: 'category', shownIn: 'Tags' },
  },
  {
    ...{ name: 'tags', table: 'tags', noun: 'tag', owner: 'company', references: [category] },
    columns: [required('TagName', 'Name', tagNameMax), of('whole', 'TagKey', false)],
    ...{ key: ['CategoryKey', 'Name'], numbers: 'TagKey', showsNumbers: true, target: 'tag', shownIn: 'Tags' },
  },
  {
    ...{ name: 'tasks', table: 'tasks', noun: 'task', owner: 'company', references: [] },
    columns: [
      ...[required('TaskKey'), text('TaskId'), required('TaskName', 'Name')],
      text('TaskAbbrev', { stored: 'Abbrev' }),
    ],
    ...{ key: ['TaskKey'], numbers: 'TaskRow', generated: 'TaskKey', target: 'task', shownIn: 'Skillset' },
  },
  {
    ...{ name: 'profiles', table: 'profiles', noun: 'profile', owner: 'company', references: [] },
    columns: [required('ProfileKey'), required('Name')],
    ...{ key: ['ProfileKey'], numbers: 'ProfileRow', generated: 'ProfileKey', target: 'profile', shownIn: 'Profiles' },
  },
  {
    ...{ name: 'locations', table: 'locations', noun: 'location', owner: 'company', references: [] },
    columns: [
      ...[required('LocationKey'), text('Id'), required('Name'), text('Address'), text('Abbrev')],
      ...[text('Notes', { lengthMax: 4_000 }), text('TimeZone')],
    ],
    key: ['LocationKey'],
    ...{ numbers: 'LocationRow', generated: 'LocationKey', target: 'location', shownIn: 'Location' },
  },
  {
    ...{ name: 'location-tags', table: 'location_tags', noun: 'tag of a location', owner: 'company' },
    ...{ references: [location, tag], columns: effective, key: ['LocationRow', 'CategoryKey', 'TagKey'] },
    shownIn: 'Location',
  },
  {
    ...{ name: 'request-limits', table: 'request_limits', noun: 'request limit', owner: 'company', references: [] },
    columns: [
      ...[required('Key'), required('Name'), ...period('StartDate', 'EndDate'), text('Type')],
      ...[of('whole', 'RecurringLength'), text('CreditSource'), text('ErrorMessage', { lengthMax: 4_000 })],
      ...[flag('IsActive'), ...days.map((day) => of('decimal', `DailyTotalMaxAllowed${day}`))],
    ],
    ...{ key: ['Key'], numbers: 'LimitRow', generated: 'Key', target: 'limit', shownIn: 'RequestLimit' },
  },
  {
    ...{ name: 'shift-credits', table: 'request_limit_shifts', noun: 'shift credit', owner: 'company' },
    references: [limit, task],
    columns: [...[required('DayOfTheWeek'), text('TaskShiftKey'), flag('IsIncluded'), of('decimal', 'Credit', false)]],
    ...{ key: ['LimitRow', 'TaskRow', 'DayOfTheWeek'], shownIn: 'RequestLimit' },
  },
  {
    ...{ name: 'staff', table: 'staff', noun: 'person', owner: 'StaffRow', references: [] },
    columns: [required('StaffId'), ...staffColumns],
    ...{ key: ['StaffId'], numbers: 'StaffRow', generated: 'StaffKey', target: 'person', shownIn: 'StaffMember' },
  },
  {
    ...{ name: 'staff-tags', table: 'staff_tags', noun: 'tag of a person', owner: 'StaffRow' },
    ...{ references: [person, tag], columns: effective, key: ['StaffRow', 'CategoryKey', 'TagKey'], shownIn: 'Tags' },
  },
  {
    ...{ name: 'skillset', table: 'staff_skillset', noun: 'skill of a person', owner: 'StaffRow' },
    references: [person, task],
    columns: days.flatMap((day) => [flag(`IsSkilled${day}`), text(`${day}Occurrence`, { isFilled: true })]),
    ...{ key: ['StaffRow', 'TaskRow'], shownIn: 'Skillset' },
  },
  {
    ...{ name: 'staff-profiles', table: 'staff_profiles', noun: 'profile of a person', owner: 'StaffRow' },
    references: [person, { to: 'profile', names: ['ProfileKey'], stored: ['ProfileRow'] }],
    columns: [flag('IsViewable'), flag('IsSchedulable')],
    ...{ key: ['StaffRow', 'ProfileRow'], shownIn: 'Profiles' },
  },
  {
    ...{ name: 'staff-locations', table: 'staff_locations', noun: 'location of a person', owner: 'StaffRow' },
    references: [person, location],
    columns: [flag('IsCredentialed'), of('instant', 'InactiveDate'), of('document', 'Credentials', false)],
    ...{ key: ['StaffRow', 'LocationRow'], target: 'personLocation', shownIn: 'Location' },
  },
  {
    ...{ name: 'staff-location-tags', table: 'staff_location_tags', owner: 'StaffRow' },
    noun: 'tag of a person at a location',
    references: [{ to: 'personLocation', names: ['StaffId', 'LocationKey'], stored: ['StaffRow', 'LocationRow'] }, tag],
    ...{ columns: effective, key: ['StaffRow', 'LocationRow', 'CategoryKey', 'TagKey'], shownIn: 'Location.Tags' },
  },
  {
    ...{ name: 'badges', table: 'staff_badges', noun: 'badge', owner: 'StaffRow', references: [person] },
    ...{ columns: [required('BadgeId'), text('BadgeGroup')], key: ['StaffRow', 'BadgeId'], shownIn: 'BadgeIds' },
  },
  {
    ...{ name: 'pay-modifiers', table: 'pay_modifiers', noun: 'pay modifier', owner: 'StaffRow' },
    references: [person, subjectTag('LocationTag'), subjectTag('TaskTag')],
    columns: [
      ...[required('PayModifierKey'), text('PositionId'), flag('IsPrimaryPosition')],
      ...[...period('StartDate', 'EndDate'), flag('IsHistoricAccessLocked')],
    ],
    ...{
      key: ['StaffRow', 'PayModifierKey'],
      numbers: 'PayModifierRow',
      target: 'payModifier',
      shownIn: 'PayModifier',
    },
  },
  {
    ...{ name: 'pay-modifier-tags', table: 'pay_modifier_tags', noun: 'tag of a pay modifier' },
    owner: 'PayModifierRow',
    references: [{ to: 'payModifier', names: ['StaffId', 'PayModifierKey'], stored: ['PayModifierRow'] }, tag],
    ...{ columns: [], key: ['PayModifierRow', 'CategoryKey', 'TagKey'], shownIn: 'PayModifier' },
  },
  {
    ...{ name: 'staff-limits', table: 'request_limit_staff', noun: 'request limit of a person', owner: 'StaffRow' },
    references: [person, limit],
    columns: [of('decimal', 'StaffRequestLimit'), of('decimal', 'StaffTotalLimit')],
    ...{ key: ['StaffRow', 'LimitRow'], shownIn: 'RequestLimit' },
  },
];

/** Returns the columns of a file in the order of an export. */
export function columnNames({ references, columns }: CompanyFile): string[] {
  return [...new Set([...references.flatMap(({ names }) => names), ...columns.map(({ name }) => name)])];
}

/** Returns the columns that every row needs, because they identify it. */
export function requiredNames({ references, columns, key, generated }: CompanyFile): string[] {
  const own = columns.filter(({ name, stored = name }) => key.includes(stored) && name !== generated);
  const named = references.filter(({ isOptional }) => isOptional !== true).flatMap(({ names }) => names);
  return [...new Set([...named, ...own.map(({ name }) => name)])];
}
