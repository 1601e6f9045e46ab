// Written by tools/contract from specs/staff/gen/openapi.json. Do not edit: run `pnpm generate`.
import type { Handler, OperationTable, Principal } from '@rostergate/server';
import type { operations as types } from '@rostergate/staff-spec';

/** The handlers that a server of the contract implements, one per operation. */
export interface StaffHandlers<P extends Principal = Principal> {
  /**
   * List a person's badges. `GET /staffmember/{staff_key}/badgeId`
   *
   * Parameters: `staff_key`.
   * Responses: 200, 400, 401, 404, 429, 500, 503, default.
   */
  readonly listBadgeIds: Handler<types['listBadgeIds'], P>;
  /**
   * Open the documentation in Swagger UI. `GET /docs`
   *
   * Responses: 200, 304, 400, 401, 429, 500, default.
   */
  readonly getDocs: Handler<types['getDocs'], P>;
  /**
   * Load a file that the Swagger UI page uses. `GET /docs/{asset}`
   *
   * Parameters: `asset`.
   * Responses: 200, 304, 400, 401, 404, 429, 500, default.
   */
  readonly getDocsAsset: Handler<types['getDocsAsset'], P>;
  /**
   * Get the OpenAPI document. `GET /openapi.json`
   *
   * Responses: 200, 304, 400, 401, 429, 500, default.
   */
  readonly getOpenapiDocument: Handler<types['getOpenapiDocument'], P>;
  /**
   * Open the documentation in ReDoc. `GET /redoc`
   *
   * Responses: 200, 304, 400, 401, 429, 500, default.
   */
  readonly getRedoc: Handler<types['getRedoc'], P>;
  /**
   * Load a file that the ReDoc page uses. `GET /redoc/{asset}`
   *
   * Parameters: `asset`.
   * Responses: 200, 304, 400, 401, 404, 429, 500, default.
   */
  readonly getRedocAsset: Handler<types['getRedocAsset'], P>;
  /**
   * Load a file that the roster page uses. `GET /roster/{asset}`
   *
   * Parameters: `asset`.
   * Responses: 200, 304, 400, 401, 404, 429, 500, default.
   */
  readonly getRosterAsset: Handler<types['getRosterAsset'], P>;
  /**
   * Open the roster page. `GET /`
   *
   * Responses: 200, 304, 400, 401, 429, 500, default.
   */
  readonly getRosterPage: Handler<types['getRosterPage'], P>;
  /**
   * Tag a person's location. `PUT /staffmember/{staff_key}/location/{location_key}/tag`
   *
   * Parameters: `staff_key`, `location_key`, `LocationTagUpdate`, `If-Match`.
   * Responses: 200, 400, 401, 403, 404, 412, 413, 415, 429, 500, 503, default.
   */
  readonly addStaffLocationTag: Handler<types['addStaffLocationTag'], P>;
  /**
   * List a person's locations. `GET /staffmember/{staff_key}/location`
   *
   * Parameters: `staff_key`.
   * Responses: 200, 400, 401, 404, 429, 500, 503, default.
   */
  readonly listStaffLocations: Handler<types['listStaffLocations'], P>;
  /**
   * Create a pay modifier. `POST /staffmember/{staff_key}/payModifier`
   *
   * Parameters: `staff_key`, `PayModifierRequest`, `If-Match`.
   * Responses: 201, 400, 401, 403, 404, 412, 413, 415, 429, 500, 503, default.
   */
  readonly createPayModifier: Handler<types['createPayModifier'], P>;
  /**
   * Delete a pay modifier. `DELETE /staffmember/{staff_key}/payModifier/{pay_modifier_key}`
   *
   * Parameters: `staff_key`, `pay_modifier_key`, `If-Match`.
   * Responses: 200, 400, 401, 403, 404, 412, 429, 500, 503, default.
   */
  readonly deletePayModifier: Handler<types['deletePayModifier'], P>;
  /**
   * List a person's pay modifiers. `GET /staffmember/{staff_key}/payModifier`
   *
   * Parameters: `staff_key`.
   * Responses: 200, 400, 401, 404, 429, 500, 503, default.
   */
  readonly listPayModifiers: Handler<types['listPayModifiers'], P>;
  /**
   * Update a pay modifier. `PUT /staffmember/{staff_key}/payModifier/{pay_modifier_key}`
   *
   * Parameters: `staff_key`, `pay_modifier_key`, `PayModifierRequest`, `If-Match`.
   * Responses: 200, 400, 401, 403, 404, 412, 413, 415, 429, 500, 503, default.
   */
  readonly updatePayModifier: Handler<types['updatePayModifier'], P>;
  /**
   * List a person's profiles. `GET /staffmember/{staff_key}/profile`
   *
   * Parameters: `staff_key`.
   * Responses: 200, 400, 401, 404, 429, 500, 503, default.
   */
  readonly listStaffProfiles: Handler<types['listStaffProfiles'], P>;
  /**
   * Set a person's profile. `PUT /staffmember/{staff_key}/profile/{profile_key}`
   *
   * Parameters: `staff_key`, `profile_key`, `ProfileUpdate`, `If-Match`.
   * Responses: 200, 400, 401, 403, 404, 412, 413, 415, 429, 500, 503, default.
   */
  readonly setStaffProfile: Handler<types['setStaffProfile'], P>;
  /**
   * List a person's request limits. `GET /staffmember/{staff_key}/requestlimit`
   *
   * Parameters: `staff_key`, `includes`.
   * Responses: 200, 400, 401, 404, 429, 500, 503, default.
   */
  readonly listRequestLimits: Handler<types['listRequestLimits'], P>;
  /**
   * Log in. `POST /login`
   *
   * Parameters: `email`, `password`.
   * Responses: 200, 400, 401, 413, 415, 429, 500, 503, default.
   */
  readonly login: Handler<types['login'], P>;
  /**
   * Remove a task from a person. `DELETE /staffmember/{staff_key}/skillset/{task_key}`
   *
   * Parameters: `staff_key`, `task_key`, `If-Match`.
   * Responses: 200, 400, 401, 403, 404, 412, 429, 500, 503, default.
   */
  readonly removeStaffSkillset: Handler<types['removeStaffSkillset'], P>;
  /**
   * Set the days on which a person does a task. `PUT /staffmember/{staff_key}/skillset/{task_key}`
   *
   * Parameters: `staff_key`, `task_key`, `SkillsetUpdate`, `If-Match`.
   * Responses: 200, 400, 401, 403, 404, 412, 413, 415, 429, 500, 503, default.
   */
  readonly setStaffSkillset: Handler<types['setStaffSkillset'], P>;
  /**
   * Create a person. `POST /staffmember`
   *
   * Parameters: `StaffMemberCreate`, `If-Match`.
   * Responses: 200, 201, 400, 401, 403, 409, 412, 413, 415, 429, 500, 503, default.
   */
  readonly createStaffMember: Handler<types['createStaffMember'], P>;
  /**
   * Read one person. `GET /staffmember/{staff_key}`
   *
   * Parameters: `staff_key`, `includes`, `$select`, `$filter`, `$orderby`, `$expand`, `dateFormat`, `sinceModifiedTimestamp`, `If-None-Match`.
   * Responses: 200, 304, 400, 401, 404, 429, 500, 501, 503, default.
   */
  readonly getStaffMember: Handler<types['getStaffMember'], P>;
  /**
   * List the staff of a company. `GET /staffmember`
   *
   * Parameters: `companyKey`, `includes`, `$select`, `$filter`, `$orderby`, `$expand`, `$top`, `$skip`, `$count`, `$skiptoken`, `$deltatoken`, `$search`, `dateFormat`, `sinceModifiedTimestamp`, `Prefer`.
   * Responses: 200, 400, 401, 403, 410, 429, 500, 501, 503, default.
   */
  readonly listStaffMembers: Handler<types['listStaffMembers'], P>;
  /**
   * Set or clear a person's manager. `POST /staffmember/{staff_key}/manager`
   *
   * Parameters: `staff_key`, `StaffManagerUpdate`, `If-Match`.
   * Responses: 200, 400, 401, 403, 404, 412, 413, 415, 429, 500, 503, default.
   */
  readonly setStaffManager: Handler<types['setStaffManager'], P>;
  /**
   * Update a person. `PUT /staffmember/{staff_key}`
   *
   * Parameters: `staff_key`, `StaffMemberUpdate`, `If-Match`.
   * Responses: 200, 400, 401, 403, 404, 409, 412, 413, 415, 429, 500, 503, default.
   */
  readonly updateStaffMember: Handler<types['updateStaffMember'], P>;
  /**
   * Check that the server responds. `GET /health`
   *
   * Responses: 200, 400, 401, 500, default.
   */
  readonly getHealth: Handler<types['getHealth'], P>;
  /**
   * Check that the process is alive. `GET /health/live`
   *
   * Responses: 200, 400, 401, 500, default.
   */
  readonly getLiveness: Handler<types['getLiveness'], P>;
  /**
   * Get request metrics. `GET /metrics`
   *
   * Parameters: `routes`.
   * Responses: 200, 400, 401, 429, 500, default.
   */
  readonly getMetrics: Handler<types['getMetrics'], P>;
  /**
   * Check that the server is ready. `GET /health/ready`
   *
   * Responses: 200, 400, 401, 500, 503, default.
   */
  readonly getReadiness: Handler<types['getReadiness'], P>;
  /**
   * Tag a person. `POST /staffmember/{staff_key}/tag`
   *
   * Parameters: `staff_key`, `StaffTagCreate`, `If-Match`.
   * Responses: 201, 400, 401, 403, 404, 412, 413, 415, 429, 500, 503, default.
   */
  readonly addStaffTag: Handler<types['addStaffTag'], P>;
}

/** All operations of the contract, by operationId. */
export const operations = {
  listBadgeIds: {
    operationId: 'listBadgeIds',
    method: 'get',
    path: '/staffmember/{staff_key}/badgeId',
    tag: 'Badges',
  },
  getDocs: {
    operationId: 'getDocs',
    method: 'get',
    path: '/docs',
    tag: 'Documentation',
  },
  getDocsAsset: {
    operationId: 'getDocsAsset',
    method: 'get',
    path: '/docs/{asset}',
    tag: 'Documentation',
  },
  getOpenapiDocument: {
    operationId: 'getOpenapiDocument',
    method: 'get',
    path: '/openapi.json',
    tag: 'Documentation',
  },
  getRedoc: {
    operationId: 'getRedoc',
    method: 'get',
    path: '/redoc',
    tag: 'Documentation',
  },
  getRedocAsset: {
    operationId: 'getRedocAsset',
    method: 'get',
    path: '/redoc/{asset}',
    tag: 'Documentation',
  },
  getRosterAsset: {
    operationId: 'getRosterAsset',
    method: 'get',
    path: '/roster/{asset}',
    tag: 'Documentation',
  },
  getRosterPage: {
    operationId: 'getRosterPage',
    method: 'get',
    path: '/',
    tag: 'Documentation',
  },
  addStaffLocationTag: {
    operationId: 'addStaffLocationTag',
    method: 'put',
    path: '/staffmember/{staff_key}/location/{location_key}/tag',
    tag: 'Locations',
    requiredScopes: ['admin',],
  },
  listStaffLocations: {
    operationId: 'listStaffLocations',
    method: 'get',
    path: '/staffmember/{staff_key}/location',
    tag: 'Locations',
  },
  createPayModifier: {
    operationId: 'createPayModifier',
    method: 'post',
    path: '/staffmember/{staff_key}/payModifier',
    tag: 'PayModifiers',
    requiredScopes: ['admin',],
  },
  deletePayModifier: {
    operationId: 'deletePayModifier',
    method: 'delete',
    path: '/staffmember/{staff_key}/payModifier/{pay_modifier_key}',
    tag: 'PayModifiers',
    requiredScopes: ['admin',],
  },
  listPayModifiers: {
    operationId: 'listPayModifiers',
    method: 'get',
    path: '/staffmember/{staff_key}/payModifier',
    tag: 'PayModifiers',
  },
  updatePayModifier: {
    operationId: 'updatePayModifier',
    method: 'put',
    path: '/staffmember/{staff_key}/payModifier/{pay_modifier_key}',
    tag: 'PayModifiers',
    requiredScopes: ['admin',],
  },
  listStaffProfiles: {
    operationId: 'listStaffProfiles',
    method: 'get',
    path: '/staffmember/{staff_key}/profile',
    tag: 'Profiles',
  },
  setStaffProfile: {
    operationId: 'setStaffProfile',
    method: 'put',
    path: '/staffmember/{staff_key}/profile/{profile_key}',
    tag: 'Profiles',
    requiredScopes: ['admin',],
  },
  listRequestLimits: {
    operationId: 'listRequestLimits',
    method: 'get',
    path: '/staffmember/{staff_key}/requestlimit',
    tag: 'RequestLimits',
  },
  login: {
    operationId: 'login',
    method: 'post',
    path: '/login',
    tag: 'Session',
  },
  removeStaffSkillset: {
    operationId: 'removeStaffSkillset',
    method: 'delete',
    path: '/staffmember/{staff_key}/skillset/{task_key}',
    tag: 'Skillset',
    requiredScopes: ['admin',],
  },
  setStaffSkillset: {
    operationId: 'setStaffSkillset',
    method: 'put',
    path: '/staffmember/{staff_key}/skillset/{task_key}',
    tag: 'Skillset',
    requiredScopes: ['admin',],
  },
  createStaffMember: {
    operationId: 'createStaffMember',
    method: 'post',
    path: '/staffmember',
    tag: 'StaffMembers',
    requiredScopes: ['admin',],
  },
  getStaffMember: {
    operationId: 'getStaffMember',
    method: 'get',
    path: '/staffmember/{staff_key}',
    tag: 'StaffMembers',
  },
  listStaffMembers: {
    operationId: 'listStaffMembers',
    method: 'get',
    path: '/staffmember',
    tag: 'StaffMembers',
  },
  setStaffManager: {
    operationId: 'setStaffManager',
    method: 'post',
    path: '/staffmember/{staff_key}/manager',
    tag: 'StaffMembers',
    requiredScopes: ['admin',],
  },
  updateStaffMember: {
    operationId: 'updateStaffMember',
    method: 'put',
    path: '/staffmember/{staff_key}',
    tag: 'StaffMembers',
    requiredScopes: ['admin',],
  },
  getHealth: {
    operationId: 'getHealth',
    method: 'get',
    path: '/health',
    tag: 'System',
  },
  getLiveness: {
    operationId: 'getLiveness',
    method: 'get',
    path: '/health/live',
    tag: 'System',
  },
  getMetrics: {
    operationId: 'getMetrics',
    method: 'get',
    path: '/metrics',
    tag: 'System',
  },
  getReadiness: {
    operationId: 'getReadiness',
    method: 'get',
    path: '/health/ready',
    tag: 'System',
  },
  addStaffTag: {
    operationId: 'addStaffTag',
    method: 'post',
    path: '/staffmember/{staff_key}/tag',
    tag: 'Tags',
    requiredScopes: ['admin',],
  },
} as const satisfies OperationTable;

export type OperationId = keyof typeof operations;
