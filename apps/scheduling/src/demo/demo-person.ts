import { farOff } from '../store/location-tags.ts';
import type { Row } from '../store/tables.ts';
import * as invented from './invented.ts';
import type { DemoContext } from './people-rows.ts';
import type { Random } from './random.ts';

/** Creates a person without collections. */
export function createPerson(i: number, { companyKey, random, name, flag, nextRow }: DemoContext): Row<'staff'> {
  const FirstName = random.pick(invented.firstNames);
  const LastName = random.pick(invented.lastNames);
  const [City, State, Zip] = random.pick(invented.cities);
  const isActive = random.chance(0.93);
  const started = `${random.integer(2004, 2026)}-${twoDigits(random.integer(1, 9))}-${twoDigits(random.integer(1, 28))}T00:00:00`;
  const ended = `2026-${twoDigits(random.integer(1, 9))}-${twoDigits(random.integer(1, 28))}T00:00:00`;
  const hasStart = !random.chance(0.05);
  const isHourly = random.chance(0.4);
  const userProfile = random.pick(['Provider', 'Scheduler', 'View only']);
  const number = String(1001 + i);
  return {
    StaffRow: nextRow('staff'),
    Revision: 1,
    ManagerRow: null,
    CompKey: companyKey,
    StaffKey: keyOf(i, LastName, random),
    StaffId: `S-${number}`,
    StaffInternalId: random.chance(0.5) ? random.digits(8) : null,
    Abbrev: `${[...FirstName][0]}${[...LastName][0]}${number}`,
    FirstName,
    LastName,
    Email: random.chance(0.97) ? `${asciiOf(FirstName)}.${asciiOf(LastName)}.${number}@${asciiOf(name)}.example` : null,
    HomePhone: random.chance(0.3) ? createPhone(random) : null,
    MobilePhone: random.chance(0.9) ? createPhone(random) : null,
    Pager: random.chance(0.2) ? createPhone(random) : null,
    OtherNumber1: random.chance(0.15) ? createPhone(random) : null,
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
    IsActive: flag(isActive),
    IsAutoApproveSwap: flag(random.chance(0.3)),
    TextFromQuickLinks: flag(random.chance(0.7)),
    StartDate: hasStart ? started : null,
    EndDate: isActive ? farOff : ended,
    PayrollStartDate: hasStart ? started : null,
    PayrollEndDate: isActive ? farOff : ended,
    TimeClockStartDate: isHourly && hasStart ? started : null,
    TimeClockEndDate: isHourly ? farOff : null,
    TimeClockKioskPIN: isHourly ? random.digits(4) : null,
    DeactivationDateUtc: isActive ? null : ended,
    SourceOfLogin: random.pick(['Local', 'SSO', null]),
    LastModifiedDateUtc: `2026-${twoDigits(random.integer(1, 10))}-${twoDigits(random.integer(1, 28))}T${createTimeOfDay(random)}`,
    UserLastLoginDateTimeUtc: random.chance(0.8)
      ? `2026-10-${twoDigits(random.integer(1, 31))}T${createTimeOfDay(random)}`
      : null,
  };
}

/** Mostly GUIDs; some contain apostrophes and other characters that people type. */
function keyOf(i: number, lastName: string, random: Random): string {
  if (i % 50 === 7) return `emp_${1001 + i}`;
  if (i % 100 === 42) return `${lastName}-${1001 + i}`;
  return random.guid();
}

const twoDigits = (n: number) => String(n).padStart(2, '0');

const createTimeOfDay = (random: Random) =>
  `${twoDigits(random.integer(0, 23))}:${twoDigits(random.integer(0, 59))}:${twoDigits(random.integer(0, 59))}`;

/** Numbers that are reserved for fiction. */
const createPhone = (random: Random) => `+1 ${random.integer(201, 989)} 555 01${twoDigits(random.integer(0, 99))}`;

/** Converts to plain letters for addresses: Łukasz O’Neil gives lukasz and oneil. */
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
