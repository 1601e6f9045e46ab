import { describe } from 'vitest';
import type { StaffStore } from './staff-store.ts';
import { describeAudit } from './suite/audit.contract.ts';
import { describeChanges } from './suite/changes.contract.ts';
import { describeCollections } from './suite/collections.contract.ts';
import { describeHiddenData } from './suite/hidden-data.contract.ts';
import { describeListStaff } from './suite/list-staff.contract.ts';
import { describeOnePerson } from './suite/one-person.contract.ts';
import { describePages } from './suite/pages.contract.ts';
import { demo, now, type StoreSettings } from './suite/store-kit.contract.ts';
import { describeStoredJson } from './suite/stored-json.contract.ts';
import { describeVersions } from './suite/versions.contract.ts';
import { describeWriteModel } from './suite/write-model.contract.ts';
import { describeWritePayModifiers } from './suite/write-pay-modifiers.contract.ts';
import { describeWritePerson } from './suite/write-person.contract.ts';
import { describeWriteSkillsAndProfiles } from './suite/write-skills-and-profiles.contract.ts';
import { describeWriteTags } from './suite/write-tags.contract.ts';

const themes = [
  ...[describeListStaff, describeCollections, describeHiddenData, describeOnePerson],
  ...[describeWritePerson, describeWriteTags, describeWriteSkillsAndProfiles, describeWritePayModifiers, describeAudit],
  ...[describeVersions, describeWriteModel, describeStoredJson, describePages, describeChanges],
];

/** The behaviour of every staff store. `open` returns an empty store. */
export function describeStaffStore(name: string, open: (settings: StoreSettings) => Promise<StaffStore>): void {
  const openSeeded = async (staff: number, clock = () => Date.parse(`${now}Z`)) => {
    let keys = 0;
    const store = await open({ clock, newKey: () => `new-${++keys}` });
    await store.seedDemo({ companyKey: demo, companies: 2, staff, otherStaff: 5 });
    return store;
  };
  describe(name, () => {
    for (const describeTheme of themes) describeTheme(openSeeded);
  });
}
