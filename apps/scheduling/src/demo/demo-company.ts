import type { Row, Tables } from '../store/tables.ts';
import * as invented from './catalogue.ts';
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

export type CompanyTable = (typeof companyTables)[number];
/** Rows by table. */
export type CompanyRows = { readonly [T in CompanyTable]: Row<T>[] };

export interface DemoCompanyOptions {
  readonly companyKey: string;
  readonly name: string;
  readonly staff: number;
  readonly random: Random;
  /** The last row number in use of each table that numbers its rows; counted on as rows are made. */
  readonly lastRows: Record<NumberedTable, number>;
}

export type NumberedTable =
  | 'tag_categories'
  | 'tags'
  | 'tasks'
  | 'profiles'
  | 'locations'
  | 'staff'
  | 'pay_modifiers'
  | 'request_limits';

const farOff = '2100-01-01T00:00:00';
const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
const workdays = new Set<string>(['Mon', 'Tue', 'Wed', 'Thu', 'Fri']);

/** Makes up a whole company. The same random numbers give the same rows. */
export function createDemoCompany(options: DemoCompanyOptions): CompanyRows {
  const { random, lastRows } = options;
  const rows = Object.fromEntries(companyTables.map((table) => [table, []])) as unknown as CompanyRows;
  const nextRow = (table: NumberedTable) => ++lastRows[table];
  const catalogue = createCatalogue(options, rows, nextRow);
  const chiefs = Math.max(1, Math.round(options.staff * 0.06));
  for (let i = 0; i < options.staff; i++) {
    const person = createPerson(i, options, nextRow('staff'));
    // Chiefs stand first and are nobody's reports, so that no circle can arise.
    if (i >= chiefs && random.chance(0.9)) {
      const chief = rows.staff[random.integer(0, chiefs - 1)] as Row<'staff'>;
      person.ManagerRow = chief.StaffRow;
      person.ManagerId = chief.StaffId;
      person.Manager = `${chief.FirstName} ${chief.LastName}`;
    }
    const primary = random.pick(rows.profiles);
    person.PrimaryProfile = primary.Name;
    person.PrimaryProfileKey = primary.ProfileKey;
    rows.staff.push(person);
    attach(person, rows, catalogue, random, nextRow);
  }
  return rows;
}

type Catalogue = Record<(typeof invented.categories)[number]['on'], Row<'tags'>[]>;

function createCatalogue(
  { companyKey, name, random }: DemoCompanyOptions,
  rows: CompanyRows,
  nextRow: (table: NumberedTable) => number,
): Catalogue {
  rows.companies.push({ CompanyKey: companyKey, Name: name });
  const catalogue: Catalogue = { staff: [], timeClock: [], location: [], task: [], pay: [] };
  for (const category of invented.categories) {
    const CategoryKey = nextRow('tag_categories');
    const IsTimeClock = Number(category.on === 'timeClock');
    rows.tag_categories.push({ CategoryKey, CompanyKey: companyKey, Name: category.name, IsTimeClock });
    for (const Name of category.tags) {
      const tag = { TagKey: nextRow('tags'), CategoryKey, Name };
      rows.tags.push(tag);
      catalogue[category.on].push(tag);
    }
  }
  for (const [i, Name] of invented.tasks.entries()) {
    // Most keys look like GUIDs and some do not: clients that assume either are found out here.
    const TaskKey = i % 5 === 4 ? `task-${i + 1}` : random.guid();
    const Abbrev = Name.replace(/[^A-Z0-9]/g, '');
    rows.tasks.push({ TaskRow: nextRow('tasks'), CompanyKey: companyKey, TaskKey, TaskId: `T-${i + 1}`, Name, Abbrev });
  }
  for (const [i, Name] of invented.profiles.entries()) {
    const ProfileKey = i % 4 === 3 ? `profile-${i + 1}` : random.guid();
    rows.profiles.push({ ProfileRow: nextRow('profiles'), CompanyKey: companyKey, ProfileKey, Name });
  }
  for (const [i, { name: Name, address, timeZone }] of invented.locations.entries()) {
    const LocationRow = nextRow('locations');
    rows.locations.push({
      LocationRow,
      CompanyKey: companyKey,
      LocationKey: i % 3 === 2 ? `loc-${i + 1}` : random.guid(),
      Id: `L-${i + 1}`,
      Name,
      Address: address,
      Abbrev: Name.replace(/[^A-Z]/g, ''),
      Notes: random.chance(0.3) ? 'Badge needed after 18:00.' : null,
      TimeZone: timeZone,
    });
    for (const tag of random.sample(catalogue.location, 2)) {
      rows.location_tags.push({ LocationRow, ...linkTo(tag), ...always(random) });
    }
  }
  for (let i = 0; i < 3; i++) createRequestLimit(i, companyKey, rows, random, nextRow('request_limits'));
  return catalogue;
}

function createRequestLimit(i: number, companyKey: string, rows: CompanyRows, random: Random, LimitRow: number): void {
  const [Name, Type, length] = (
    [
      ['Summer leave', 'DateRange', null],
      ['Weekend requests', 'Recurring', 4],
      ['Call swaps', 'Recurring', 12],
    ] as const
  )[i] as readonly [string, string, number | null];
  rows.request_limits.push({
    LimitRow,
    CompanyKey: companyKey,
    Key: i === 2 ? 'limit-3' : random.guid(),
    Name,
    StartDate: '2026-01-01T00:00:00',
    EndDate: i === 0 ? '2026-09-30T00:00:00' : farOff,
    Type,
    RecurringLength: length,
    CreditSource: random.pick(['Task', 'Request', null]),
    ErrorMessage: `You have reached the limit “${Name}”.`,
    IsActive: Number(i < 2),
    DailyTotalMaxAllowedMon: 4,
    DailyTotalMaxAllowedTue: 4,
    DailyTotalMaxAllowedWed: 4,
    DailyTotalMaxAllowedThu: 4,
    DailyTotalMaxAllowedFri: 3,
    DailyTotalMaxAllowedSat: i === 1 ? 2 : null,
    DailyTotalMaxAllowedSun: i === 1 ? 2 : null,
  });
  for (const task of random.sample(rows.tasks, 3)) {
    for (const day of random.sample(days, 2)) {
      rows.request_limit_shifts.push({
        LimitRow,
        TaskRow: task.TaskRow,
        DayOfTheWeek: day,
        TaskShiftKey: random.chance(0.5) ? random.guid() : null,
        IsIncluded: Number(random.chance(0.8)),
        Credit: random.pick([0.5, 1, 2]),
      });
    }
  }
}

function createPerson(i: number, { companyKey, random, name }: DemoCompanyOptions, StaffRow: number): Row<'staff'> {
  const FirstName = random.pick(invented.firstNames);
  const LastName = random.pick(invented.lastNames);
  const [City, State, Zip] = random.pick(invented.cities);
  const isActive = random.chance(0.93);
  const started = `${random.integer(2004, 2026)}-${two(random.integer(1, 9))}-${two(random.integer(1, 28))}T00:00:00`;
  const ended = `2026-${two(random.integer(1, 9))}-${two(random.integer(1, 28))}T00:00:00`;
  const hasStart = !random.chance(0.05);
  const isHourly = random.chance(0.4);
  const userProfile = random.pick(['Provider', 'Scheduler', 'View only']);
  const number = String(1001 + i);
  return {
    StaffRow,
    ManagerRow: null,
    CompKey: companyKey,
    StaffKey: keyOf(i, LastName, random),
    StaffId: `S-${number}`,
    StaffInternalId: random.chance(0.5) ? random.digits(8) : null,
    Abbrev: `${[...FirstName][0]}${[...LastName][0]}${number}`,
    FirstName,
    LastName,
    Email: random.chance(0.97) ? `${asciiOf(FirstName)}.${asciiOf(LastName)}.${number}@${hostOf(name)}` : null,
    HomePhone: random.chance(0.3) ? phone(random) : null,
    MobilePhone: random.chance(0.9) ? phone(random) : null,
    Pager: random.chance(0.2) ? phone(random) : null,
    OtherNumber1: random.chance(0.15) ? phone(random) : null,
    OtherNumber2: null,
    OtherNumber3: null,
    OtherNumberType1: random.chance(0.15) ? 'Office' : null,
    OtherNumberType2: null,
    OtherNumberType3: null,
    ContactInstructions: random.chance(0.1) ? 'Text first; call after 10 minutes without an answer.' : null,
    Addr1: random.chance(0.8) ? `${random.integer(1, 999)} ${random.pick(invented.streets)}` : null,
    Addr2: random.chance(0.1) ? `Unit ${random.integer(1, 40)}` : null,
    City,
    State,
    Zip,
    BgColor: random.pick(invented.colors),
    TextColor: '#FFFFFF',
    BillSysId: random.chance(0.7) ? `B${random.digits(6)}` : null,
    SsoId: random.chance(0.6) ? `${asciiOf(LastName)}${number}` : null,
    EmrId: random.chance(0.6) ? `E${random.digits(5)}` : null,
    ErpId: random.chance(0.2) ? random.digits(7) : null,
    ExtCallSysId: null,
    CalSyncKey: random.chance(0.5) ? random.guid() : null,
    Npi: random.chance(0.05) ? null : random.digits(10),
    Manager: null,
    ManagerId: null,
    StaffClassification: random.pick(['Employed', 'Contracted', 'Affiliated']),
    StaffTypeKey: random.pick(invented.staffTypes),
    BillingTypeKey: random.pick(['Standard', 'Academic', null]),
    UserProfile: userProfile,
    UserProfileKey: `user-profile-${asciiOf(userProfile)}`,
    PrimaryProfile: null,
    PrimaryProfileKey: null,
    PayrollId: random.chance(0.9) ? `P${random.digits(6)}` : null,
    PayPeriodGroupName: random.pick(['Biweekly', 'Monthly']),
    RegHours: random.pick([20, 24, 32, 36, 40, 40, 40]),
    Fte: random.pick([0.5, 0.6, 0.8, 0.9, 1, 1, 1]),
    DailyUnitAverage: random.chance(0.6) ? random.integer(10, 120) / 10 : null,
    IsActive: Number(isActive),
    IsAutoApproveSwap: Number(random.chance(0.3)),
    TextFromQuickLinks: Number(random.chance(0.7)),
    StartDate: hasStart ? started : null,
    EndDate: isActive ? farOff : ended,
    PayrollStartDate: hasStart ? started : null,
    PayrollEndDate: isActive ? farOff : ended,
    TimeClockStartDate: isHourly && hasStart ? started : null,
    TimeClockEndDate: isHourly ? farOff : null,
    TimeClockKioskPIN: isHourly ? random.digits(4) : null,
    DeactivationDateUtc: isActive ? null : ended,
    SourceOfLogin: random.pick(['Local', 'SSO', null]),
    Revision: 1,
    LastModifiedDateUtc: `2026-${two(random.integer(1, 10))}-${two(random.integer(1, 28))}T${clock(random)}`,
    UserLastLoginDateTimeUtc: random.chance(0.8) ? `2026-10-${two(random.integer(1, 31))}T${clock(random)}` : null,
  };
}

function attach(
  person: Row<'staff'>,
  rows: CompanyRows,
  catalogue: Catalogue,
  random: Random,
  nextRow: (table: NumberedTable) => number,
): void {
  const { StaffRow } = person;
  for (const tag of random.sample(catalogue.staff, random.integer(1, 8))) {
    rows.staff_tags.push({ StaffRow, ...linkTo(tag), ...always(random) });
  }
  if (person.TimeClockKioskPIN !== null) {
    rows.staff_tags.push({ StaffRow, ...linkTo(random.pick(catalogue.timeClock)), ...always(random) });
  }
  if (!random.chance(0.05)) {
    for (const task of random.sample(rows.tasks, random.integer(1, 7))) {
      rows.staff_skillset.push({ StaffRow, TaskRow: task.TaskRow, ...createDays(random) });
    }
  }
  for (const profile of random.sample(rows.profiles, random.integer(1, 3))) {
    const flags = { IsViewable: Number(random.chance(0.9)), IsSchedulable: Number(random.chance(0.5)) };
    rows.staff_profiles.push({ StaffRow, ProfileRow: profile.ProfileRow, ...flags });
  }
  for (const { LocationRow } of random.sample(rows.locations, random.integer(1, 3))) {
    const isCredentialed = random.chance(0.8);
    rows.staff_locations.push({
      StaffRow,
      LocationRow,
      IsCredentialed: Number(isCredentialed),
      InactiveDate: random.chance(0.05) ? '2026-06-30T00:00:00' : null,
      Credentials: JSON.stringify(
        isCredentialed ? random.sample(invented.credentials, 2).map((Name) => ({ Name, ExpirationDate: farOff })) : [],
      ),
    });
    if (random.chance(0.4)) {
      const tag = random.pick(catalogue.staff);
      rows.staff_location_tags.push({ StaffRow, LocationRow, ...linkTo(tag), ...always(random) });
    }
  }
  if (random.chance(0.8)) {
    rows.staff_badges.push({ StaffRow, BadgeId: String(100_000 + StaffRow), BadgeGroup: 'Main Hospital' });
    if (random.chance(0.2)) rows.staff_badges.push({ StaffRow, BadgeId: `V-${random.digits(5)}`, BadgeGroup: null });
  }
  if (random.chance(0.3)) createPayModifier(StaffRow, rows, catalogue, random, nextRow('pay_modifiers'));
  for (const limit of random.sample(rows.request_limits, random.integer(0, 2))) {
    const StaffRequestLimit = random.integer(2, 12);
    const StaffTotalLimit = random.chance(0.5) ? StaffRequestLimit + random.integer(0, 8) : null;
    rows.request_limit_staff.push({ StaffRow, LimitRow: limit.LimitRow, StaffRequestLimit, StaffTotalLimit });
  }
}

function createPayModifier(StaffRow: number, rows: CompanyRows, tags: Catalogue, random: Random, row: number): void {
  rows.pay_modifiers.push({
    PayModifierRow: row,
    StaffRow,
    PayModifierKey: row % 7 === 0 ? `pay-${row}` : random.guid(),
    LocationTagKey: random.chance(0.5) ? random.pick(tags.location).TagKey : null,
    TaskTagKey: random.chance(0.5) ? random.pick(tags.task).TagKey : null,
    PositionId: random.chance(0.7) ? `POS-${random.digits(3)}` : null,
    IsPrimaryPosition: Number(random.chance(0.5)),
    StartDate: `${random.integer(2022, 2025)}-01-01T00:00:00`,
    EndDate: random.chance(0.5) ? '2026-12-31T00:00:00' : farOff,
    IsHistoricAccessLocked: Number(random.chance(0.2)),
  });
  for (const tag of random.sample(tags.pay, random.integer(1, 2))) {
    rows.pay_modifier_tags.push({ PayModifierRow: row, ...linkTo(tag) });
  }
}

function createDays(random: Random): Omit<Row<'staff_skillset'>, 'StaffRow' | 'TaskRow'> {
  const entries = days.flatMap((day) => {
    const isSkilled = random.chance(workdays.has(day) ? 0.85 : 0.3);
    return [
      [`IsSkilled${day}`, Number(isSkilled)],
      [`${day}Occurrence`, isSkilled ? (random.chance(0.9) ? 'Weekly' : 'Biweekly') : null],
    ];
  });
  return Object.fromEntries(entries);
}

/** Mostly GUIDs; some are what people type, apostrophes included. */
function keyOf(i: number, lastName: string, random: Random): string {
  if (i % 50 === 7) return `emp_${1001 + i}`;
  if (i % 100 === 42) return `${lastName}-${1001 + i}`;
  return random.guid();
}

const linkTo = ({ CategoryKey, TagKey }: Row<'tags'>) => ({ CategoryKey, TagKey });
const always = (random: Random) => ({
  EffectiveFromDate: `${random.integer(2018, 2025)}-0${random.integer(1, 9)}-01T00:00:00`,
  EffectiveToDate: farOff,
});
const two = (n: number) => String(n).padStart(2, '0');
const clock = (random: Random) =>
  `${two(random.integer(0, 23))}:${two(random.integer(0, 59))}:${two(random.integer(0, 59))}`;
/** Numbers that are never given to anyone. */
const phone = (random: Random) => `+1 ${random.integer(201, 989)} 555 01${two(random.integer(0, 99))}`;
const hostOf = (company: string) => `${asciiOf(company)}.example`;

/** Plain letters for addresses: Łukasz O’Neil gives lukasz and oneil. */
function asciiOf(text: string): string {
  const plain = text
    .replaceAll('Ł', 'L')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i');
  const ascii = plain
    .normalize('NFD')
    .replace(/[^A-Za-z0-9]/g, '')
    .toLowerCase();
  return ascii || `u${[...text].map((char) => char.codePointAt(0)?.toString(16)).join('')}`;
}
