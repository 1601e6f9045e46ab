export type * from '@rostergate/staff-spec';
export { createStaffClient, type StaffClient, type StaffClientOptions } from './create-staff-client.ts';
export { type ApiFault, ApiProblem } from './gen/api-problem.gen.ts';
export type * from './gen/client.gen.ts';
export * from './gen/problem-kinds.gen.ts';
export type { CallOptions, Credential } from './gen/transport.gen.ts';
