import { farOff } from '../store/location-tags.ts';
import type { Row } from '../store/tables.ts';
import * as invented from './invented.ts';
import { createTagPeriod, type DemoContext, days, linkTo, type PeopleRows } from './people-rows.ts';

const workdays = new Set<string>(['Mon', 'Tue', 'Wed', 'Thu', 'Fri']);

interface DetailContext {
  readonly context: DemoContext;
  /** The rows of this part, which are added to. */
  readonly rows: PeopleRows;
}

/** Adds tags, skills, profiles, locations, badges, pay modifiers and request limits to a person. */
export function attachDetails(i: number, person: Row<'staff'>, detail: DetailContext): void {
  const { context, rows } = detail;
  const { catalogue, random, flag } = context;
  const { tags } = catalogue;
  const { StaffRow } = person;
  for (const tag of random.sample(tags.staff, context.tags ?? random.integer(1, 8))) {
    rows.staff_tags.push({ StaffRow, ...linkTo(tag), ...createTagPeriod(random) });
  }
  if (person.TimeClockKioskPIN !== null) {
    rows.staff_tags.push({ StaffRow, ...linkTo(random.pick(tags.timeClock)), ...createTagPeriod(random) });
  }
  if (context.skills !== undefined || !random.chance(0.05)) {
    for (const task of random.sample(catalogue.tasks, context.skills ?? random.integer(1, 7))) {
      rows.staff_skillset.push({ StaffRow, TaskRow: task.TaskRow, ...createDays(context) });
    }
  }
  for (const profile of random.sample(catalogue.profiles, random.integer(1, 3))) {
    const flags = { IsViewable: flag(random.chance(0.9)), IsSchedulable: flag(random.chance(0.5)) };
    rows.staff_profiles.push({ StaffRow, ProfileRow: profile.ProfileRow, ...flags });
  }
  for (const { LocationRow } of random.sample(catalogue.locations, random.integer(1, 3))) {
    const isCredentialed = random.chance(0.8);
    rows.staff_locations.push({
      StaffRow,
      LocationRow,
      IsCredentialed: flag(isCredentialed),
      InactiveDate: random.chance(0.05) ? '2026-06-30T00:00:00' : null,
      Credentials: JSON.stringify(
        isCredentialed ? random.sample(invented.credentials, 2).map((Name) => ({ Name, ExpirationDate: farOff })) : [],
      ),
    });
    if (random.chance(0.4)) {
      const tag = random.pick(tags.staff);
      rows.staff_location_tags.push({ StaffRow, LocationRow, ...linkTo(tag), ...createTagPeriod(random) });
    }
  }
  if (random.chance(0.8)) {
    rows.staff_badges.push({ StaffRow, BadgeId: String(100_001 + i), BadgeGroup: 'Main Hospital' });
    if (random.chance(0.2)) rows.staff_badges.push({ StaffRow, BadgeId: `V-${random.digits(5)}`, BadgeGroup: null });
  }
  if (random.chance(0.3)) createPayModifier(i, StaffRow, detail);
  for (const limit of random.sample(catalogue.limits, random.integer(0, 2))) {
    const StaffRequestLimit = random.integer(2, 12);
    const StaffTotalLimit = random.chance(0.5) ? StaffRequestLimit + random.integer(0, 8) : null;
    rows.request_limit_staff.push({ StaffRow, LimitRow: limit.LimitRow, StaffRequestLimit, StaffTotalLimit });
  }
}

function createPayModifier(i: number, StaffRow: number, { context, rows }: DetailContext): void {
  const { catalogue, random, flag, nextRow } = context;
  const { tags } = catalogue;
  const PayModifierRow = nextRow('pay_modifiers');
  rows.pay_modifiers.push({
    PayModifierRow,
    StaffRow,
    PayModifierKey: i % 7 === 0 ? `pay-${i + 1}` : random.guid(),
    LocationTagKey: random.chance(0.5) ? random.pick(tags.location).TagKey : null,
    TaskTagKey: random.chance(0.5) ? random.pick(tags.task).TagKey : null,
    PositionId: random.chance(0.7) ? `POS-${random.digits(3)}` : null,
    IsPrimaryPosition: flag(random.chance(0.5)),
    StartDate: `${random.integer(2022, 2025)}-01-01T00:00:00`,
    EndDate: random.chance(0.5) ? '2026-12-31T00:00:00' : farOff,
    IsHistoricAccessLocked: flag(random.chance(0.2)),
  });
  for (const tag of random.sample(tags.pay, random.integer(1, 2))) {
    rows.pay_modifier_tags.push({ PayModifierRow, ...linkTo(tag) });
  }
}

function createDays({ random, flag }: DemoContext): Omit<Row<'staff_skillset'>, 'StaffRow' | 'TaskRow'> {
  const entries = days.flatMap((day) => {
    const isSkilled = random.chance(workdays.has(day) ? 0.85 : 0.3);
    return [
      [`IsSkilled${day}`, flag(isSkilled)],
      [`${day}Occurrence`, isSkilled ? (random.chance(0.9) ? 'Weekly' : 'Biweekly') : null],
    ];
  });
  return Object.fromEntries(entries);
}
