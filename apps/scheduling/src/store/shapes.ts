import type { SqlColumn } from '@rostergate/odata';
import { entityOf, staffMemberType } from '../entity-model.ts';

/**
 * How a schema of the contract maps to tables. The JSON writer and the filter writer both use it, so that a filter sees
 * exactly what a response shows. A scalar that `columns` does not name is a column of the same name.
 */
export interface Shape {
  readonly schema: string;
  readonly columns?: Readonly<Record<string, SqlColumn>>;
  readonly collections?: Readonly<Record<string, CollectionShape>>;
  /** Nested objects, with the alias of the row that each is read from. */
  readonly objects?: Readonly<Record<string, { readonly shape: Shape; readonly row: (row: string) => string }>>;
}

export interface CollectionShape {
  readonly element: Shape;
  /** The FROM clause. Joined rows have the row's alias with a suffix. */
  readonly from: (row: string, parent: string) => string;
  /** The join condition to the parent row. */
  readonly where: (row: string, parent: string) => string;
  readonly order: (row: string) => string;
}

/**
 * Returns whether a collection is empty for this account, because the contract reserves its elements for
 * administrators.
 */
export function isHiddenFrom({ isAdmin }: { readonly isAdmin: boolean }, { element }: CollectionShape): boolean {
  return !isAdmin && entityOf(element.schema).adminOnly;
}

const tagEntry: Shape = {
  schema: 'TagEntry',
  columns: {
    Key: 'TagKey',
    Name: (row) => `${row}_t."Name"`,
  },
};

const tagCategory = (tags: CollectionShape): Shape => ({
  schema: 'StaffTag',
  columns: { CategoryName: (row) => `${row}_c."Name"` },
  collections: { Tags: tags },
});

/** Returns the tags by category of a link table; `owner` is the key that the links share with their parent. */
function tagsOf(table: string, owner: readonly string[], condition?: (row: string) => string): CollectionShape {
  const tie = (row: string, parent: string) =>
    owner.map((column) => `${row}."${column}" = ${parent}."${column}"`).join(' AND ');
  const ofCategory: CollectionShape = {
    element: tagEntry,
    from: (row) => `"${table}" AS ${row} JOIN "tags" AS ${row}_t ON ${row}_t."TagKey" = ${row}."TagKey"`,
    where: (row, parent) => `${tie(row, parent)} AND ${row}."CategoryKey" = ${parent}."CategoryKey"`,
    order: (row) => `${row}."TagKey"`,
  };
  return {
    element: tagCategory(ofCategory),
    from: (row) =>
      `"${table}" AS ${row} JOIN "tag_categories" AS ${row}_c ON ${row}_c."CategoryKey" = ${row}."CategoryKey"`,
    // The first link of each category represents it; the primary key of the links finds it at once.
    where: (row, parent) =>
      [
        tie(row, parent),
        `NOT EXISTS (SELECT 1 FROM "${table}" AS ${row}_p WHERE ${tie(`${row}_p`, row)} ` +
          `AND ${row}_p."CategoryKey" = ${row}."CategoryKey" AND ${row}_p."TagKey" < ${row}."TagKey")`,
        ...(condition === undefined ? [] : [condition(row)]),
      ].join(' AND '),
    order: (row) => `${row}."CategoryKey"`,
  };
}

const staffTags = tagsOf('staff_tags', ['StaffRow'], (row) => `${row}_c."IsTimeClock" = FALSE`);

/** All tags, time clock tags included. */
export const anyStaffTags = tagsOf('staff_tags', ['StaffRow']);

export const skillset: CollectionShape = {
  element: {
    schema: 'StaffSkillset',
    columns: {
      StaffFirstName: (row) => `${row}_s."FirstName"`,
      StaffLastName: (row) => `${row}_s."LastName"`,
      StaffAbbrev: (row) => `${row}_s."Abbrev"`,
      StaffId: (row) => `${row}_s."StaffId"`,
      TaskKey: (row) => `${row}_k."TaskKey"`,
      TaskName: (row) => `${row}_k."Name"`,
      TaskAbbrev: (row) => `${row}_k."Abbrev"`,
      TaskId: (row) => `${row}_k."TaskId"`,
    },
  },
  from: (row) =>
    `"staff_skillset" AS ${row} JOIN "tasks" AS ${row}_k ON ${row}_k."TaskRow" = ${row}."TaskRow" ` +
    `JOIN "staff" AS ${row}_s ON ${row}_s."StaffRow" = ${row}."StaffRow"`,
  where: (row, parent) => `${row}."StaffRow" = ${parent}."StaffRow"`,
  order: (row) => `${row}."TaskRow"`,
};

const profileColumns = {
  Name: (row: string) => `${row}_p."Name"`,
  ProfileKey: (row: string) => `${row}_p."ProfileKey"`,
};

export const profiles: CollectionShape = {
  element: { schema: 'StaffProfile', columns: profileColumns },
  from: (row) =>
    `"staff_profiles" AS ${row} JOIN "profiles" AS ${row}_p ON ${row}_p."ProfileRow" = ${row}."ProfileRow"`,
  where: (row, parent) => `${row}."StaffRow" = ${parent}."StaffRow"`,
  order: (row) => `${row}_p."ProfileKey"`,
};

/** Every profile of the company, with the person's rights in it, or the default ones. */
const availableProfiles: CollectionShape = {
  element: {
    schema: 'StaffProfile',
    columns: {
      IsViewable: (row) => `coalesce(${row}_h."IsViewable", TRUE)`,
      IsSchedulable: (row) => `coalesce(${row}_h."IsSchedulable", FALSE)`,
    },
  },
  from: (row, parent) =>
    `"profiles" AS ${row} LEFT JOIN "staff_profiles" AS ${row}_h ` +
    `ON ${row}_h."ProfileRow" = ${row}."ProfileRow" AND ${row}_h."StaffRow" = ${parent}."StaffRow"`,
  where: (row, parent) => `${row}."CompanyKey" = ${parent}."CompKey"`,
  order: (row) => `${row}."ProfileKey"`,
};

export const badges: CollectionShape = {
  element: { schema: 'BadgeId' },
  from: (row) => `"staff_badges" AS ${row}`,
  where: (row, parent) => `${row}."StaffRow" = ${parent}."StaffRow"`,
  order: (row) => `${row}."BadgeId"`,
};

export const staffMember: Shape = {
  schema: staffMemberType,
  collections: {
    Tags: staffTags,
    TTCMTags: tagsOf('staff_tags', ['StaffRow'], (row) => `${row}_c."IsTimeClock" = TRUE`),
    Skillset: skillset,
    Profiles: profiles,
    AvailableProfiles: availableProfiles,
    BadgeIds: badges,
  },
};

/** The collections of a person that `staff-documents.ts` stores as JSON. */
export const storedCollections = ['Tags', 'TTCMTags', 'Skillset', 'Profiles'];

const locationStaff: Shape = {
  schema: 'LocationStaff',
  columns: { Id: 'StaffId' },
  collections: { Tags: staffTags },
};

const location: Shape = {
  schema: 'Location',
  collections: { Tags: tagsOf('location_tags', ['LocationRow']) },
};

/** The collections from here on have operations of their own. */
export const staffLocations: CollectionShape = {
  element: {
    schema: 'StaffLocation',
    objects: {
      Staff: { shape: locationStaff, row: (row) => `${row}_s` },
      Location: { shape: location, row: (row) => `${row}_l` },
    },
    collections: { Tags: tagsOf('staff_location_tags', ['StaffRow', 'LocationRow']) },
  },
  from: (row) =>
    `"staff_locations" AS ${row} JOIN "locations" AS ${row}_l ON ${row}_l."LocationRow" = ${row}."LocationRow" ` +
    `JOIN "staff" AS ${row}_s ON ${row}_s."StaffRow" = ${row}."StaffRow"`,
  where: (row, parent) => `${row}."StaffRow" = ${parent}."StaffRow"`,
  order: (row) => `${row}_l."LocationKey"`,
};

const payModifierTags: CollectionShape = {
  element: {
    schema: 'PayModifierTag',
    columns: { CategoryName: (row) => `${row}_c."Name"`, TagName: (row) => `${row}_t."Name"` },
  },
  from: (row) =>
    `"pay_modifier_tags" AS ${row} JOIN "tag_categories" AS ${row}_c ON ${row}_c."CategoryKey" = ${row}."CategoryKey" ` +
    `JOIN "tags" AS ${row}_t ON ${row}_t."TagKey" = ${row}."TagKey"`,
  where: (row, parent) => `${row}."PayModifierRow" = ${parent}."PayModifierRow"`,
  order: (row) => `${row}."CategoryKey", ${row}."TagKey"`,
};

export const payModifiers: CollectionShape = {
  element: {
    schema: 'PayModifier',
    columns: {
      CompanyKey: (row) => `${row}_s."CompKey"`,
      StaffMemberKey: (row) => `${row}_s."StaffKey"`,
    },
    collections: { PayModifierTagKeys: payModifierTags },
  },
  from: (row) => `"pay_modifiers" AS ${row} JOIN "staff" AS ${row}_s ON ${row}_s."StaffRow" = ${row}."StaffRow"`,
  where: (row, parent) => `${row}."StaffRow" = ${parent}."StaffRow"`,
  order: (row) => `${row}."PayModifierKey"`,
};

const shiftCredits: CollectionShape = {
  element: {
    schema: 'ShiftCredit',
    columns: {
      TaskKey: (row) => `${row}_k."TaskKey"`,
      TaskId: (row) => `${row}_k."TaskId"`,
      TaskName: (row) => `${row}_k."Name"`,
      TaskAbbreviation: (row) => `${row}_k."Abbrev"`,
    },
  },
  from: (row) => `"request_limit_shifts" AS ${row} JOIN "tasks" AS ${row}_k ON ${row}_k."TaskRow" = ${row}."TaskRow"`,
  where: (row, parent) => `${row}."LimitRow" = ${parent}."LimitRow"`,
  order: (row) => `${row}_k."TaskKey", ${row}."DayOfTheWeek"`,
};

const staffLimits: CollectionShape = {
  element: {
    schema: 'StaffLimit',
    columns: {
      StaffKey: (row) => `${row}_s."StaffKey"`,
      StaffId: (row) => `${row}_s."StaffId"`,
      StaffInternalId: (row) => `${row}_s."StaffInternalId"`,
      StaffFirstName: (row) => `${row}_s."FirstName"`,
      StaffLastName: (row) => `${row}_s."LastName"`,
      StaffAbbreviation: (row) => `${row}_s."Abbrev"`,
    },
  },
  from: (row) => `"request_limit_staff" AS ${row} JOIN "staff" AS ${row}_s ON ${row}_s."StaffRow" = ${row}."StaffRow"`,
  where: (row, parent) => `${row}."LimitRow" = ${parent}."LimitRow"`,
  order: (row) => `${row}_s."StaffKey"`,
};

/** The limits that apply to the person. */
export const requestLimits: CollectionShape = {
  element: {
    schema: 'RequestLimit',
    collections: { ShiftCredits: shiftCredits, StaffLimits: staffLimits },
  },
  from: (row) =>
    `"request_limits" AS ${row} JOIN "request_limit_staff" AS ${row}_h ON ${row}_h."LimitRow" = ${row}."LimitRow"`,
  where: (row, parent) => `${row}_h."StaffRow" = ${parent}."StaffRow"`,
  order: (row) => `${row}."Key"`,
};
