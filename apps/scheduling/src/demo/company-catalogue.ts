import { farOff } from '../store/location-tags.ts';
import type { Row } from '../store/tables.ts';
import {
  type CompanyRows,
  createCompanyRows,
  createTagPeriod,
  type DemoContext,
  days,
  linkTo,
} from './company-rows.ts';
import * as invented from './invented.ts';

/** Tags by the kind of thing that they are for. */
export type DemoTags = Record<(typeof invented.categories)[number]['on'], Row<'tags'>[]>;

/** Creates a company with its tags, tasks, profiles, locations and request limits, without people. */
export function createCompanyCatalogue(context: DemoContext): { readonly rows: CompanyRows; readonly tags: DemoTags } {
  const { companyKey, name, random, flag, nextRow } = context;
  const rows = createCompanyRows();
  rows.companies.push({ CompanyKey: companyKey, Name: name });
  const tags: DemoTags = { staff: [], timeClock: [], location: [], task: [], pay: [] };
  for (const category of invented.categories) {
    const CategoryKey = nextRow('tag_categories');
    const IsTimeClock = flag(category.on === 'timeClock');
    rows.tag_categories.push({ CategoryKey, CompanyKey: companyKey, Name: category.name, IsTimeClock });
    for (const Name of category.tags) {
      const tag = { TagKey: nextRow('tags'), CategoryKey, Name };
      rows.tags.push(tag);
      tags[category.on].push(tag);
    }
  }
  for (const [i, Name] of invented.tasks.entries()) {
    // Most keys are GUIDs and some are not, which exposes clients that assume either.
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
    for (const tag of random.sample(tags.location, 2)) {
      rows.location_tags.push({ LocationRow, ...linkTo(tag), ...createTagPeriod(random) });
    }
  }
  for (let i = 0; i < 3; i++) createRequestLimit(i, context, rows);
  return { rows, tags };
}

function createRequestLimit(i: number, { companyKey, random, flag, nextRow }: DemoContext, rows: CompanyRows): void {
  const LimitRow = nextRow('request_limits');
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
    IsActive: flag(i < 2),
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
        IsIncluded: flag(random.chance(0.8)),
        Credit: random.pick([0.5, 1, 2]),
      });
    }
  }
}
