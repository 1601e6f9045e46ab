// Written by tools/contract from specs/staff/gen/openapi.json. Do not edit: run `pnpm generate`.
import type { Handler, Principal } from '@rostergate/server';
import type { operations } from '@rostergate/staff-spec';

/** The handlers that a server of the contract implements, one per operation. */
export interface StaffHandlers<P extends Principal = Principal> {
  /** List a person's badges. `GET /staffmember/{staff_key}/badgeId` */
  readonly listBadgeIds: Handler<operations['listBadgeIds'], P>;
  /** Open the documentation in Swagger UI. `GET /docs` */
  readonly getDocs: Handler<operations['getDocs'], P>;
  /** Load a file that the Swagger UI page uses. `GET /docs/{asset}` */
  readonly getDocsAsset: Handler<operations['getDocsAsset'], P>;
  /** Get the OpenAPI document. `GET /openapi.json` */
  readonly getOpenapiDocument: Handler<operations['getOpenapiDocument'], P>;
  /** Open the documentation in ReDoc. `GET /redoc` */
  readonly getRedoc: Handler<operations['getRedoc'], P>;
  /** Load a file that the ReDoc page uses. `GET /redoc/{asset}` */
  readonly getRedocAsset: Handler<operations['getRedocAsset'], P>;
  /** Load a file that the roster page uses. `GET /roster/{asset}` */
  readonly getRosterAsset: Handler<operations['getRosterAsset'], P>;
  /** Open the roster page. `GET /` */
  readonly getRosterPage: Handler<operations['getRosterPage'], P>;
  /** Tag a person's location. `PUT /staffmember/{staff_key}/location/{location_key}/tag` */
  readonly addStaffLocationTag: Handler<operations['addStaffLocationTag'], P>;
  /** List a person's locations. `GET /staffmember/{staff_key}/location` */
  readonly listStaffLocations: Handler<operations['listStaffLocations'], P>;
  /** Create a pay modifier. `POST /staffmember/{staff_key}/payModifier` */
  readonly createPayModifier: Handler<operations['createPayModifier'], P>;
  /** Delete a pay modifier. `DELETE /staffmember/{staff_key}/payModifier/{pay_modifier_key}` */
  readonly deletePayModifier: Handler<operations['deletePayModifier'], P>;
  /** List a person's pay modifiers. `GET /staffmember/{staff_key}/payModifier` */
  readonly listPayModifiers: Handler<operations['listPayModifiers'], P>;
  /** Update a pay modifier. `PUT /staffmember/{staff_key}/payModifier/{pay_modifier_key}` */
  readonly updatePayModifier: Handler<operations['updatePayModifier'], P>;
  /** List a person's profiles. `GET /staffmember/{staff_key}/profile` */
  readonly listStaffProfiles: Handler<operations['listStaffProfiles'], P>;
  /** Set a person's profile. `PUT /staffmember/{staff_key}/profile/{profile_key}` */
  readonly setStaffProfile: Handler<operations['setStaffProfile'], P>;
  /** List a person's request limits. `GET /staffmember/{staff_key}/requestlimit` */
  readonly listRequestLimits: Handler<operations['listRequestLimits'], P>;
  /** Log in. `POST /login` */
  readonly login: Handler<operations['login'], P>;
  /** Remove a task from a person. `DELETE /staffmember/{staff_key}/skillset/{task_key}` */
  readonly removeStaffSkillset: Handler<operations['removeStaffSkillset'], P>;
  /** Set the days on which a person does a task. `PUT /staffmember/{staff_key}/skillset/{task_key}` */
  readonly setStaffSkillset: Handler<operations['setStaffSkillset'], P>;
  /** Create a person. `POST /staffmember` */
  readonly createStaffMember: Handler<operations['createStaffMember'], P>;
  /** Read one person. `GET /staffmember/{staff_key}` */
  readonly getStaffMember: Handler<operations['getStaffMember'], P>;
  /** List the staff of a company. `GET /staffmember` */
  readonly listStaffMembers: Handler<operations['listStaffMembers'], P>;
  /** Set or clear a person's manager. `POST /staffmember/{staff_key}/manager` */
  readonly setStaffManager: Handler<operations['setStaffManager'], P>;
  /** Update a person. `PUT /staffmember/{staff_key}` */
  readonly updateStaffMember: Handler<operations['updateStaffMember'], P>;
  /** Check that the server responds. `GET /health` */
  readonly getHealth: Handler<operations['getHealth'], P>;
  /** Check that the process is alive. `GET /health/live` */
  readonly getLiveness: Handler<operations['getLiveness'], P>;
  /** Get request metrics. `GET /metrics` */
  readonly getMetrics: Handler<operations['getMetrics'], P>;
  /** Check that the server is ready. `GET /health/ready` */
  readonly getReadiness: Handler<operations['getReadiness'], P>;
  /** Tag a person. `POST /staffmember/{staff_key}/tag` */
  readonly addStaffTag: Handler<operations['addStaffTag'], P>;
}
