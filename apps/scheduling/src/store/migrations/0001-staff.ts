import type { CreateTableBuilder, Kysely, RawBuilder } from 'kysely';
import type { ColumnTypes } from '../sql-flavour.ts';

/**
 * Frozen: databases in service have run these statements. Add another migration for a change; the entity model's test
 * compares the result of all migrations with the contract.
 */
const staffNames = ['FirstName', 'LastName', 'Abbrev'];
const staffTexts = [
  ...[
    'BgColor',
    'TextColor',
    'BillSysId',
    'Email',
    'SsoId',
    'EmrId',
    'ErpId',
    'ExtCallSysId',
    'HomePhone',
    'MobilePhone',
    'Pager',
    'Manager',
    'ManagerId',
    'Npi',
    'OtherNumber1',
    'OtherNumber2',
  ],
  ...['OtherNumber3', 'OtherNumberType1', 'OtherNumberType2', 'OtherNumberType3', 'ContactInstructions'],
  ...['PayPeriodGroupName', 'PayrollId', 'StaffClassification', 'StaffInternalId', 'Addr1', 'Addr2', 'City', 'State'],
  ...['Zip', 'StaffTypeKey', 'BillingTypeKey', 'UserProfile', 'UserProfileKey', 'PrimaryProfile', 'PrimaryProfileKey'],
  ...['CalSyncKey', 'TimeClockKioskPIN', 'SourceOfLogin'],
];
const staffInstants = [
  ...['StartDate', 'EndDate', 'PayrollStartDate', 'PayrollEndDate', 'TimeClockStartDate', 'TimeClockEndDate'],
  ...['DeactivationDateUtc', 'UserLastLoginDateTimeUtc'],
];
const staffDecimals = ['RegHours', 'Fte', 'DailyUnitAverage'];
const staffFlags = ['IsActive', 'IsAutoApproveSwap', 'TextFromQuickLinks'];
const daily = (name: (day: string) => string) => ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].map(name);

type AnyTable = CreateTableBuilder<string, string>;

/**
 * Creates the tables of companies, their catalogues (tags, tasks, profiles, locations), people, accounts and the audit.
 */
export async function createStaffTables(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { text, rowKey, reference, integer, instant, decimal, flag, document } = types;
  const table = (name: string): AnyTable => db.schema.createTable(name).modifyEnd(types.tableEnd);
  const run = (builder: { execute(): Promise<void> }) => builder.execute();
  const index = (name: string, on: string, columns: string[], unique = false) => {
    const builder = db.schema.createIndex(name).on(on).columns(columns);
    return run(unique ? builder.unique() : builder);
  };
  const add =
    (names: readonly string[], type: RawBuilder<unknown>, isRequired = false) =>
    (builder: AnyTable) =>
      names.reduce((b, name) => b.addColumn(name, type, (c) => (isRequired ? c.notNull() : c)), builder);

  await run(
    table('companies')
      .addColumn('CompanyKey', text, (c) => c.primaryKey())
      .addColumn('Name', text, (c) => c.notNull()),
  );
  const ofCompany = (name: string) =>
    table(name).addColumn('CompanyKey', text, (c) => c.notNull().references('companies.CompanyKey'));

  await run(
    ofCompany('accounts')
      .addColumn('AccountRow', rowKey, (c) => c.primaryKey())
      .addColumn('Email', text, (c) => c.notNull().unique())
      .addColumn('PasswordHash', text, (c) => c.notNull())
      .addColumn('IsAdmin', flag, (c) => c.notNull())
      .addColumn('IsDisabled', flag, (c) => c.notNull()),
  );
  await run(
    table('access_tokens')
      .addColumn('Digest', text, (c) => c.primaryKey())
      .addColumn('AccountRow', reference, (c) => c.notNull().references('accounts.AccountRow').onDelete('cascade'))
      .addColumn('ExpiresAtMs', integer, (c) => c.notNull()),
  );
  await index('access_tokens_by_expiry', 'access_tokens', ['ExpiresAtMs']);

  await run(
    ofCompany('tag_categories')
      .addColumn('CategoryKey', rowKey, (c) => c.primaryKey())
      .addColumn('Name', text, (c) => c.notNull())
      .addColumn('IsTimeClock', flag, (c) => c.notNull())
      .addUniqueConstraint('tag_categories_name', ['CompanyKey', 'Name']),
  );
  await run(
    table('tags')
      .addColumn('TagKey', rowKey, (c) => c.primaryKey())
      .addColumn('CategoryKey', reference, (c) => c.notNull().references('tag_categories.CategoryKey'))
      .addColumn('Name', text, (c) => c.notNull())
      .addUniqueConstraint('tags_name', ['CategoryKey', 'Name']),
  );
  await run(
    ofCompany('tasks')
      .addColumn('TaskRow', rowKey, (c) => c.primaryKey())
      .addColumn('TaskKey', text, (c) => c.notNull())
      .addColumn('TaskId', text)
      .addColumn('Name', text, (c) => c.notNull())
      .addColumn('Abbrev', text)
      .addUniqueConstraint('tasks_key', ['CompanyKey', 'TaskKey']),
  );
  await run(
    ofCompany('profiles')
      .addColumn('ProfileRow', rowKey, (c) => c.primaryKey())
      .addColumn('ProfileKey', text, (c) => c.notNull())
      .addColumn('Name', text, (c) => c.notNull())
      .addUniqueConstraint('profiles_key', ['CompanyKey', 'ProfileKey']),
  );
  await run(
    ofCompany('locations')
      .addColumn('LocationRow', rowKey, (c) => c.primaryKey())
      .addColumn('LocationKey', text, (c) => c.notNull())
      .addColumn('Id', text)
      .addColumn('Name', text, (c) => c.notNull())
      .addColumn('Address', text)
      .addColumn('Abbrev', text)
      .addColumn('Notes', text)
      .addColumn('TimeZone', text)
      .addUniqueConstraint('locations_key', ['CompanyKey', 'LocationKey']),
  );
  await run(
    table('location_tags')
      .addColumn('LocationRow', reference, (c) => c.notNull().references('locations.LocationRow'))
      .addColumn('CategoryKey', reference, (c) => c.notNull().references('tag_categories.CategoryKey'))
      .addColumn('TagKey', reference, (c) => c.notNull().references('tags.TagKey'))
      .addColumn('EffectiveFromDate', instant)
      .addColumn('EffectiveToDate', instant)
      .addPrimaryKeyConstraint('location_tags_key', ['LocationRow', 'CategoryKey', 'TagKey']),
  );

  await run(
    table('staff')
      .addColumn('StaffRow', rowKey, (c) => c.primaryKey())
      .addColumn('CompKey', text, (c) => c.notNull().references('companies.CompanyKey'))
      .addColumn('StaffKey', text, (c) => c.notNull())
      .addColumn('StaffId', text, (c) => c.notNull())
      .addColumn('ManagerRow', reference, (c) => c.references('staff.StaffRow'))
      .addColumn('LastModifiedDateUtc', instant, (c) => c.notNull())
      .addUniqueConstraint('staff_key', ['CompKey', 'StaffKey'])
      .addUniqueConstraint('staff_id', ['CompKey', 'StaffId'])
      .$call(add(staffNames, text, true))
      .$call(add(staffFlags, flag, true))
      .$call(add(staffTexts, text))
      .$call(add(staffInstants, instant))
      .$call(add(staffDecimals, decimal)),
  );
  for (const column of ['LastName', 'Npi', 'Email', 'LastModifiedDateUtc']) {
    await index(`staff_by_${column.toLowerCase()}`, 'staff', ['CompKey', column, 'StaffKey']);
  }
  await index('staff_by_manager', 'staff', ['ManagerRow']);

  const ofStaff = (name: string) =>
    table(name).addColumn('StaffRow', reference, (c) => c.notNull().references('staff.StaffRow').onDelete('cascade'));
  await run(
    ofStaff('staff_tags')
      .addColumn('CategoryKey', reference, (c) => c.notNull().references('tag_categories.CategoryKey'))
      .addColumn('TagKey', reference, (c) => c.notNull().references('tags.TagKey'))
      .addColumn('EffectiveFromDate', instant)
      .addColumn('EffectiveToDate', instant)
      .addPrimaryKeyConstraint('staff_tags_key', ['StaffRow', 'CategoryKey', 'TagKey']),
  );
  await index('staff_tags_by_tag', 'staff_tags', ['TagKey', 'StaffRow']);
  await run(
    ofStaff('staff_skillset')
      .addColumn('TaskRow', reference, (c) => c.notNull().references('tasks.TaskRow'))
      .addPrimaryKeyConstraint('staff_skillset_key', ['StaffRow', 'TaskRow'])
      .$call(
        add(
          daily((day) => `IsSkilled${day}`),
          flag,
          true,
        ),
      )
      .$call(
        add(
          daily((day) => `${day}Occurrence`),
          text,
        ),
      ),
  );
  await index('staff_skillset_by_task', 'staff_skillset', ['TaskRow', 'StaffRow']);
  await run(
    ofStaff('staff_profiles')
      .addColumn('ProfileRow', reference, (c) => c.notNull().references('profiles.ProfileRow'))
      .addColumn('IsViewable', flag, (c) => c.notNull())
      .addColumn('IsSchedulable', flag, (c) => c.notNull())
      .addPrimaryKeyConstraint('staff_profiles_key', ['StaffRow', 'ProfileRow']),
  );
  await run(
    ofStaff('staff_locations')
      .addColumn('LocationRow', reference, (c) => c.notNull().references('locations.LocationRow'))
      .addColumn('IsCredentialed', flag, (c) => c.notNull())
      .addColumn('InactiveDate', instant)
      .addColumn('Credentials', document, (c) => c.notNull())
      .addPrimaryKeyConstraint('staff_locations_key', ['StaffRow', 'LocationRow']),
  );
  await run(
    ofStaff('staff_location_tags')
      .addColumn('LocationRow', reference, (c) => c.notNull())
      .addColumn('CategoryKey', reference, (c) => c.notNull().references('tag_categories.CategoryKey'))
      .addColumn('TagKey', reference, (c) => c.notNull().references('tags.TagKey'))
      .addColumn('EffectiveFromDate', instant)
      .addColumn('EffectiveToDate', instant)
      .addPrimaryKeyConstraint('staff_location_tags_key', ['StaffRow', 'LocationRow', 'CategoryKey', 'TagKey'])
      .addForeignKeyConstraint(
        'staff_location_tags_location',
        ['StaffRow', 'LocationRow'],
        'staff_locations',
        ['StaffRow', 'LocationRow'],
        (c) => c.onDelete('cascade'),
      ),
  );
  await run(
    ofStaff('staff_badges')
      .addColumn('BadgeId', text, (c) => c.notNull())
      .addColumn('BadgeGroup', text)
      .addPrimaryKeyConstraint('staff_badges_key', ['StaffRow', 'BadgeId']),
  );

  await run(
    ofStaff('pay_modifiers')
      .addColumn('PayModifierRow', rowKey, (c) => c.primaryKey())
      .addColumn('PayModifierKey', text, (c) => c.notNull())
      .addColumn('LocationTagKey', reference, (c) => c.references('tags.TagKey'))
      .addColumn('TaskTagKey', reference, (c) => c.references('tags.TagKey'))
      .addColumn('PositionId', text)
      .addColumn('IsPrimaryPosition', flag, (c) => c.notNull())
      .addColumn('StartDate', instant)
      .addColumn('EndDate', instant)
      .addColumn('IsHistoricAccessLocked', flag, (c) => c.notNull())
      .addUniqueConstraint('pay_modifiers_key', ['StaffRow', 'PayModifierKey']),
  );
  await run(
    table('pay_modifier_tags')
      .addColumn('PayModifierRow', reference, (c) =>
        c.notNull().references('pay_modifiers.PayModifierRow').onDelete('cascade'),
      )
      .addColumn('CategoryKey', reference, (c) => c.notNull().references('tag_categories.CategoryKey'))
      .addColumn('TagKey', reference, (c) => c.notNull().references('tags.TagKey'))
      .addPrimaryKeyConstraint('pay_modifier_tags_key', ['PayModifierRow', 'CategoryKey', 'TagKey']),
  );

  await run(
    ofCompany('request_limits')
      .addColumn('LimitRow', rowKey, (c) => c.primaryKey())
      .addColumn('Key', text, (c) => c.notNull())
      .addColumn('Name', text, (c) => c.notNull())
      .addColumn('StartDate', instant)
      .addColumn('EndDate', instant)
      .addColumn('Type', text)
      .addColumn('RecurringLength', integer)
      .addColumn('CreditSource', text)
      .addColumn('ErrorMessage', text)
      .addColumn('IsActive', flag, (c) => c.notNull())
      .addUniqueConstraint('request_limits_key', ['CompanyKey', 'Key'])
      .$call(
        add(
          daily((day) => `DailyTotalMaxAllowed${day}`),
          decimal,
        ),
      ),
  );
  await run(
    table('request_limit_shifts')
      .addColumn('LimitRow', reference, (c) => c.notNull().references('request_limits.LimitRow').onDelete('cascade'))
      .addColumn('TaskRow', reference, (c) => c.notNull().references('tasks.TaskRow'))
      .addColumn('DayOfTheWeek', text, (c) => c.notNull())
      .addColumn('TaskShiftKey', text)
      .addColumn('IsIncluded', flag, (c) => c.notNull())
      .addColumn('Credit', decimal, (c) => c.notNull())
      .addPrimaryKeyConstraint('request_limit_shifts_key', ['LimitRow', 'TaskRow', 'DayOfTheWeek']),
  );
  await run(
    table('request_limit_staff')
      .addColumn('StaffRow', reference, (c) => c.notNull().references('staff.StaffRow').onDelete('cascade'))
      .addColumn('LimitRow', reference, (c) => c.notNull().references('request_limits.LimitRow').onDelete('cascade'))
      .addColumn('StaffRequestLimit', decimal)
      .addColumn('StaffTotalLimit', decimal)
      .addPrimaryKeyConstraint('request_limit_staff_key', ['StaffRow', 'LimitRow']),
  );

  await run(
    table('audit')
      .addColumn('AuditRow', rowKey, (c) => c.primaryKey())
      .addColumn('AtUtc', instant, (c) => c.notNull())
      .addColumn('CompanyKey', text, (c) => c.notNull())
      .addColumn('Account', text, (c) => c.notNull())
      .addColumn('RequestId', text, (c) => c.notNull())
      .addColumn('Operation', text, (c) => c.notNull())
      .addColumn('StaffKey', text, (c) => c.notNull())
      .addColumn('ChangedFields', document, (c) => c.notNull()),
  );
  await index('audit_by_staff', 'audit', ['CompanyKey', 'StaffKey', 'AuditRow']);
}
