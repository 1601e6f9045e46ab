export type * from '@rostergate/staff-spec';
export { countOf } from './count-of.ts';
export {
  type CompanyClientOptions,
  createStaffClient,
  type LoginCredential,
  type StaffClientOptions,
} from './create-staff-client.ts';
export type * from './filter-types.ts';
export * from './gen/api-problem.gen.ts';
export type * from './gen/client.gen.ts';
export { etagOf } from './gen/etag-of.gen.ts';
export type { CallOptions, Credential, TransportOptions } from './gen/transport.gen.ts';
export type * from './staff-client.ts';
export { type StaffFilter, staffFilter } from './staff-filter.ts';
export type * from './staff-member.ts';
