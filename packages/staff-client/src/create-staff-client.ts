import type { StaffMemberDetailDto, StaffMemberPage } from '@rostergate/staff-spec';
import { createStaffOperations, type ListStaffMembersArguments, type StaffOperations } from './gen/client.gen.ts';
import { type Credential, createTransport, type TransportOptions } from './gen/transport.gen.ts';

/** Where the server is, and what the client shows it: a token of the scheduling API, or a key of the proxy. */
export type StaffClientOptions = TransportOptions & Credential;

/** One method for each operation of the contract, by operationId. Each throws an `ApiProblem` for an error answer. */
export interface StaffClient extends Omit<StaffOperations, 'listStaffMembers'> {
  /** The people of a company as a bare array. `GET /v2/staffmember` */
  listStaffMembers(request: ListStaffMembersArguments & { query: { $count?: false } }): Promise<StaffMemberDetailDto[]>;
  /** With `$count`: an envelope that says how many match whatever `$top` and `$skip` say. */
  listStaffMembers(request: ListStaffMembersArguments & { query: { $count: true } }): Promise<StaffMemberPage>;
}

/** Builds a client of the Staff Member API. Nothing is sent until a method is called. */
export function createStaffClient(options: StaffClientOptions): StaffClient {
  return createStaffOperations(createTransport(options)) as StaffClient;
}
