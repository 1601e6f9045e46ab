import type { components } from '@rostergate/staff-spec';

/** The contract's schemas by name. */
export type Schemas = components['schemas'];
export type StaffMember = Schemas['StaffMemberDetailDto'];
