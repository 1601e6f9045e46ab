// Written by tools/contract from specs/staff/gen/openapi.json. Do not edit: run `pnpm generate`.
import type { operations } from '@rostergate/staff-spec';
import type { Call, CallOptions, Send } from './transport.gen.ts';

/** Arguments of `login`. */
export interface LoginArguments extends CallOptions {
  readonly body: NonNullable<operations['login']['requestBody']>['content']['application/json'];
}

/** Arguments of `listStaffMembers`. */
export interface ListStaffMembersArguments extends CallOptions {
  readonly query: NonNullable<operations['listStaffMembers']['parameters']['query']>;
}

/** Arguments of `createStaffMember`. */
export interface CreateStaffMemberArguments extends CallOptions {
  readonly body: NonNullable<operations['createStaffMember']['requestBody']>['content']['application/json'];
  /** `If-Match`: the ETag from `etagOf(…)`. */
  readonly ifMatch?: string | undefined;
}

/** Arguments of `getStaffMember`. */
export interface GetStaffMemberArguments extends CallOptions {
  readonly path: operations['getStaffMember']['parameters']['path'];
  readonly query?: NonNullable<operations['getStaffMember']['parameters']['query']> | undefined;
  /** `If-None-Match`: the ETag from `etagOf(…)`. */
  readonly ifNoneMatch?: string | undefined;
}

/** Arguments of `updateStaffMember`. */
export interface UpdateStaffMemberArguments extends CallOptions {
  readonly path: operations['updateStaffMember']['parameters']['path'];
  readonly body: NonNullable<operations['updateStaffMember']['requestBody']>['content']['application/json'];
  /** `If-Match`: the ETag from `etagOf(…)`. */
  readonly ifMatch?: string | undefined;
}

/** Arguments of `listStaffLocations`. */
export interface ListStaffLocationsArguments extends CallOptions {
  readonly path: operations['listStaffLocations']['parameters']['path'];
}

/** Arguments of `addStaffLocationTag`. */
export interface AddStaffLocationTagArguments extends CallOptions {
  readonly path: operations['addStaffLocationTag']['parameters']['path'];
  readonly body: NonNullable<operations['addStaffLocationTag']['requestBody']>['content']['application/json'];
  /** `If-Match`: the ETag from `etagOf(…)`. */
  readonly ifMatch?: string | undefined;
}

/** Arguments of `addStaffTag`. */
export interface AddStaffTagArguments extends CallOptions {
  readonly path: operations['addStaffTag']['parameters']['path'];
  readonly body: NonNullable<operations['addStaffTag']['requestBody']>['content']['application/json'];
  /** `If-Match`: the ETag from `etagOf(…)`. */
  readonly ifMatch?: string | undefined;
}

/** Arguments of `setStaffSkillset`. */
export interface SetStaffSkillsetArguments extends CallOptions {
  readonly path: operations['setStaffSkillset']['parameters']['path'];
  readonly body: NonNullable<operations['setStaffSkillset']['requestBody']>['content']['application/json'];
  /** `If-Match`: the ETag from `etagOf(…)`. */
  readonly ifMatch?: string | undefined;
}

/** Arguments of `removeStaffSkillset`. */
export interface RemoveStaffSkillsetArguments extends CallOptions {
  readonly path: operations['removeStaffSkillset']['parameters']['path'];
  /** `If-Match`: the ETag from `etagOf(…)`. */
  readonly ifMatch?: string | undefined;
}

/** Arguments of `listStaffProfiles`. */
export interface ListStaffProfilesArguments extends CallOptions {
  readonly path: operations['listStaffProfiles']['parameters']['path'];
}

/** Arguments of `setStaffProfile`. */
export interface SetStaffProfileArguments extends CallOptions {
  readonly path: operations['setStaffProfile']['parameters']['path'];
  readonly body: NonNullable<operations['setStaffProfile']['requestBody']>['content']['application/json'];
  /** `If-Match`: the ETag from `etagOf(…)`. */
  readonly ifMatch?: string | undefined;
}

/** Arguments of `listPayModifiers`. */
export interface ListPayModifiersArguments extends CallOptions {
  readonly path: operations['listPayModifiers']['parameters']['path'];
}

/** Arguments of `createPayModifier`. */
export interface CreatePayModifierArguments extends CallOptions {
  readonly path: operations['createPayModifier']['parameters']['path'];
  readonly body: NonNullable<operations['createPayModifier']['requestBody']>['content']['application/json'];
  /** `If-Match`: the ETag from `etagOf(…)`. */
  readonly ifMatch?: string | undefined;
}

/** Arguments of `updatePayModifier`. */
export interface UpdatePayModifierArguments extends CallOptions {
  readonly path: operations['updatePayModifier']['parameters']['path'];
  readonly body: NonNullable<operations['updatePayModifier']['requestBody']>['content']['application/json'];
  /** `If-Match`: the ETag from `etagOf(…)`. */
  readonly ifMatch?: string | undefined;
}

/** Arguments of `deletePayModifier`. */
export interface DeletePayModifierArguments extends CallOptions {
  readonly path: operations['deletePayModifier']['parameters']['path'];
  /** `If-Match`: the ETag from `etagOf(…)`. */
  readonly ifMatch?: string | undefined;
}

/** Arguments of `listBadgeIds`. */
export interface ListBadgeIdsArguments extends CallOptions {
  readonly path: operations['listBadgeIds']['parameters']['path'];
}

/** Arguments of `listRequestLimits`. */
export interface ListRequestLimitsArguments extends CallOptions {
  readonly path: operations['listRequestLimits']['parameters']['path'];
  readonly query?: NonNullable<operations['listRequestLimits']['parameters']['query']> | undefined;
}

/** Arguments of `setStaffManager`. */
export interface SetStaffManagerArguments extends CallOptions {
  readonly path: operations['setStaffManager']['parameters']['path'];
  readonly body: NonNullable<operations['setStaffManager']['requestBody']>['content']['application/json'];
  /** `If-Match`: the ETag from `etagOf(…)`. */
  readonly ifMatch?: string | undefined;
}

/** Arguments of `getMetrics`. */
export interface GetMetricsArguments extends CallOptions {
  readonly query?: NonNullable<operations['getMetrics']['parameters']['query']> | undefined;
}

/** Arguments of `getRosterAsset`. */
export interface GetRosterAssetArguments extends CallOptions {
  readonly path: operations['getRosterAsset']['parameters']['path'];
}

/** Arguments of `getDocsAsset`. */
export interface GetDocsAssetArguments extends CallOptions {
  readonly path: operations['getDocsAsset']['parameters']['path'];
}

/** Arguments of `getRedocAsset`. */
export interface GetRedocAssetArguments extends CallOptions {
  readonly path: operations['getRedocAsset']['parameters']['path'];
}

/** Result of `login`. */
export type LoginResult = operations['login']['responses'][200]['content']['application/json'];

/** Result of `listStaffMembers`. */
export type ListStaffMembersResult = operations['listStaffMembers']['responses'][200]['content']['application/json'];

/** Result of `createStaffMember`. */
export type CreateStaffMemberResult =
  | operations['createStaffMember']['responses'][200]['content']['application/json']
  | operations['createStaffMember']['responses'][201]['content']['application/json'];

/** Result of `getStaffMember`. */
export type GetStaffMemberResult =
  | operations['getStaffMember']['responses'][200]['content']['application/json']
  | undefined;

/** Result of `updateStaffMember`. */
export type UpdateStaffMemberResult = operations['updateStaffMember']['responses'][200]['content']['application/json'];

/** Result of `listStaffLocations`. */
export type ListStaffLocationsResult = operations['listStaffLocations']['responses'][200]['content']['application/json'];

/** Result of `addStaffLocationTag`. */
export type AddStaffLocationTagResult = operations['addStaffLocationTag']['responses'][200]['content']['application/json'];

/** Result of `addStaffTag`. */
export type AddStaffTagResult = operations['addStaffTag']['responses'][201]['content']['application/json'];

/** Result of `setStaffSkillset`. */
export type SetStaffSkillsetResult = operations['setStaffSkillset']['responses'][200]['content']['application/json'];

/** Result of `removeStaffSkillset`. */
export type RemoveStaffSkillsetResult = operations['removeStaffSkillset']['responses'][200]['content']['application/json'];

/** Result of `listStaffProfiles`. */
export type ListStaffProfilesResult = operations['listStaffProfiles']['responses'][200]['content']['application/json'];

/** Result of `setStaffProfile`. */
export type SetStaffProfileResult = operations['setStaffProfile']['responses'][200]['content']['application/json'];

/** Result of `listPayModifiers`. */
export type ListPayModifiersResult = operations['listPayModifiers']['responses'][200]['content']['application/json'];

/** Result of `createPayModifier`. */
export type CreatePayModifierResult = operations['createPayModifier']['responses'][201]['content']['application/json'];

/** Result of `updatePayModifier`. */
export type UpdatePayModifierResult = operations['updatePayModifier']['responses'][200]['content']['application/json'];

/** Result of `deletePayModifier`. */
export type DeletePayModifierResult = operations['deletePayModifier']['responses'][200]['content']['application/json'];

/** Result of `listBadgeIds`. */
export type ListBadgeIdsResult = operations['listBadgeIds']['responses'][200]['content']['application/json'];

/** Result of `listRequestLimits`. */
export type ListRequestLimitsResult = operations['listRequestLimits']['responses'][200]['content']['application/json'];

/** Result of `setStaffManager`. */
export type SetStaffManagerResult = operations['setStaffManager']['responses'][200]['content']['application/json'];

/** Result of `getHealth`. */
export type GetHealthResult = operations['getHealth']['responses'][200]['content']['application/json'];

/** Result of `getLiveness`. */
export type GetLivenessResult = operations['getLiveness']['responses'][200]['content']['application/json'];

/** Result of `getReadiness`. */
export type GetReadinessResult = operations['getReadiness']['responses'][200]['content']['application/json'];

/** Result of `getMetrics`. */
export type GetMetricsResult =
  | operations['getMetrics']['responses'][200]['content']['application/json']
  | string;

/** Result of `getOpenapiDocument`. */
export type GetOpenapiDocumentResult = operations['getOpenapiDocument']['responses'][200]['content']['application/json'];

/** Result of `getRosterPage`. */
export type GetRosterPageResult = string;

/** Result of `getRosterAsset`. */
export type GetRosterAssetResult = string;

/** Result of `getDocs`. */
export type GetDocsResult = string;

/** Result of `getDocsAsset`. */
export type GetDocsAssetResult = string;

/** Result of `getRedoc`. */
export type GetRedocResult = string;

/** Result of `getRedocAsset`. */
export type GetRedocAssetResult = string;

/** One method per operationId of the contract. Each throws an `ApiProblem` for an error response. */
export interface StaffOperations {
  /**
   * Log in. `POST /v2/login`
   *
   * Exchanges the email and password of an account for a bearer token (RFC 6750). Send the token as `Authorization: Bearer <token>` with every other request. Log in again when it has expired. Credentials are accepted in the body only, as a form or as JSON, up to 16 KiB. Repeated failures are throttled with 429.
   */
  login(request: LoginArguments): Promise<LoginResult>;
  /**
   * List the staff of a company. `GET /v2/staffmember`
   *
   * Returns the staff of one company as a bare JSON array. The default order is by StaffKey, and ties are always ordered by StaffKey. Without `$top`, the whole company is returned. When no person matches, the array is empty. A collection is null unless `$expand` or `includes` names it. For an account without the scope `admin`, Tags, TTCMTags, Skillset, Profiles and AvailableProfiles are then empty arrays. The options are applied in the order `$filter`, `$count`, `$orderby`, `$skip`, `$top`, `$expand`, `$select`. A client that sends `$count=true`, or accepts `application/json;odata.metadata=minimal`, receives the OData envelope instead of the bare array. `Prefer: maxpagesize=<n>` divides the envelope into pages. `Prefer: odata.track-changes` adds a link to the later changes, where a person who has left the list comes with `@removed`. Undeclared query parameters return 400.
   */
  listStaffMembers(request: ListStaffMembersArguments): Promise<ListStaffMembersResult>;
  /**
   * Create a person. `POST /v2/staffmember`
   *
   * Adds a person to the account's company. StaffId is required. FirstName, LastName and Abbrev default to `CHANGEME`. When a person with this StaffId exists, the response is 409. With `UpdateIfExisting`, that person is updated with the members sent instead, and the response is 200. Members that the schema does not declare return 400.
   */
  createStaffMember(request: CreateStaffMemberArguments): Promise<CreateStaffMemberResult>;
  /**
   * Read one person. `GET /v2/staffmember/{staff_key}`
   *
   * Returns one person of the account's company. An unknown key, and a key of another company, return 404. A person that `$filter` does not match also returns 404. The company follows from the account, so there is no companyKey. A collection is null unless `$expand` or `includes` names it. For an account without the scope `admin`, Tags, TTCMTags, Skillset, Profiles and AvailableProfiles are then empty arrays. `$orderby` is validated but has no effect.
   */
  getStaffMember(request: GetStaffMemberArguments): Promise<GetStaffMemberResult>;
  /**
   * Update a person. `PUT /v2/staffmember/{staff_key}`
   *
   * Changes the members that are sent. All other members keep their values, and null clears a property. Keys, collections and read-only properties cannot be set. A StaffId of another person of the company returns 409. The response is the updated person.
   */
  updateStaffMember(request: UpdateStaffMemberArguments): Promise<UpdateStaffMemberResult>;
  /**
   * List a person's locations. `GET /v2/staffmember/{staff_key}/location`
   *
   * Returns the locations of a person as a bare array, ordered by LocationKey. For an account without the scope `admin`, every `Tags` in it is an empty array.
   */
  listStaffLocations(request: ListStaffLocationsArguments): Promise<ListStaffLocationsResult>;
  /**
   * Tag a person's location. `PUT /v2/staffmember/{staff_key}/location/{location_key}/tag`
   *
   * Sets a tag on a location of a person. The tag is identified by category and name, or by TagKey. It starts on `effectiveDate`, by default today. Within a category, a tag ends when the next tag starts, and the last tag ends on 2100-01-01. A tag replaces another tag of its category with the same start. When the person already has the tag, the tag gets the new date, and the tag before it lasts until the next one. A tag that the company does not have returns 400. A location that the person does not have returns 404.
   */
  addStaffLocationTag(request: AddStaffLocationTagArguments): Promise<AddStaffLocationTagResult>;
  /**
   * Tag a person. `POST /v2/staffmember/{staff_key}/tag`
   *
   * Adds a tag to a person. The tag is identified by category and name, or by TagKey. It starts on `effectiveDate`, by default today, and ends on 2100-01-01. `effectiveDate` must be before that date. The response is the category with all of the person's tags in it. When the person already has the tag, the tag gets the new date. A tag that the company does not have returns 400. To read tags, use `$expand=Tags` on the person. GET on this path returns 405.
   */
  addStaffTag(request: AddStaffTagArguments): Promise<AddStaffTagResult>;
  /**
   * Set the days on which a person does a task. `PUT /v2/staffmember/{staff_key}/skillset/{task_key}`
   *
   * Sets the days on which a person is skilled for a task and returns the entry. Days that are not sent keep their values. A task that the person does not have is added. A task that the company does not have returns 404.
   */
  setStaffSkillset(request: SetStaffSkillsetArguments): Promise<SetStaffSkillsetResult>;
  /**
   * Remove a task from a person. `DELETE /v2/staffmember/{staff_key}/skillset/{task_key}`
   *
   * Removes a task from the skillset of a person, for all days. A task that the person does not have returns 404.
   */
  removeStaffSkillset(request: RemoveStaffSkillsetArguments): Promise<RemoveStaffSkillsetResult>;
  /**
   * List a person's profiles. `GET /v2/staffmember/{staff_key}/profile`
   *
   * Returns the profiles of a person as a bare array, ordered by ProfileKey. For an account without the scope `admin`, the array is empty.
   */
  listStaffProfiles(request: ListStaffProfilesArguments): Promise<ListStaffProfilesResult>;
  /**
   * Set a person's profile. `PUT /v2/staffmember/{staff_key}/profile/{profile_key}`
   *
   * Adds a profile to a person or changes its flags, and returns the entry. Members that are not sent keep their values. For a new entry, IsViewable defaults to true and IsSchedulable to false. A profile that the company does not have returns 404.
   */
  setStaffProfile(request: SetStaffProfileArguments): Promise<SetStaffProfileResult>;
  /**
   * List a person's pay modifiers. `GET /v2/staffmember/{staff_key}/payModifier`
   *
   * Returns the pay modifiers of a person as a bare array, ordered by PayModifierKey. For an account without the scope `admin`, PayModifierTagKeys is an empty array, and LocationTagKey and TaskTagKey are null.
   */
  listPayModifiers(request: ListPayModifiersArguments): Promise<ListPayModifiersResult>;
  /**
   * Create a pay modifier. `POST /v2/staffmember/{staff_key}/payModifier`
   *
   * Adds one pay modifier to a person and returns it with its key. StartDate must not be after EndDate, and every named tag must exist. The 400 lists every fault.
   */
  createPayModifier(request: CreatePayModifierArguments): Promise<CreatePayModifierResult>;
  /**
   * Update a pay modifier. `PUT /v2/staffmember/{staff_key}/payModifier/{pay_modifier_key}`
   *
   * Changes the members that are sent. All other members keep their values. `PayModifierTags` replaces all tags. The rules for creating a pay modifier apply to the result.
   */
  updatePayModifier(request: UpdatePayModifierArguments): Promise<UpdatePayModifierResult>;
  /**
   * Delete a pay modifier. `DELETE /v2/staffmember/{staff_key}/payModifier/{pay_modifier_key}`
   *
   * Deletes a pay modifier of a person. An unknown pay modifier, or one of another person, returns 404.
   */
  deletePayModifier(request: DeletePayModifierArguments): Promise<DeletePayModifierResult>;
  /**
   * List a person's badges. `GET /v2/staffmember/{staff_key}/badgeId`
   *
   * Returns the badges of a person as a bare array, ordered by BadgeId.
   */
  listBadgeIds(request: ListBadgeIdsArguments): Promise<ListBadgeIdsResult>;
  /**
   * List a person's request limits. `GET /v2/staffmember/{staff_key}/requestlimit`
   *
   * Returns the request limits that name a person as a bare array, ordered by Key. ShiftCredits and StaffLimits are null unless included.
   */
  listRequestLimits(request: ListRequestLimitsArguments): Promise<ListRequestLimitsResult>;
  /**
   * Set or clear a person's manager. `POST /v2/staffmember/{staff_key}/manager`
   *
   * Sets the manager by StaffId or by key, or clears it, and returns the person. The body has exactly one member. A manager who does not exist in the company returns 400. A manager who reports to this person, directly or through others, also returns 400.
   */
  setStaffManager(request: SetStaffManagerArguments): Promise<SetStaffManagerResult>;
  /**
   * Check that the server responds. `GET /health`
   *
   * Returns 200 and the running version as long as the server responds to requests. It checks nothing else. Use /health/ready to check that the server can serve requests. Rate limits do not apply.
   */
  getHealth(request?: CallOptions): Promise<GetHealthResult>;
  /**
   * Check that the process is alive. `GET /health/live`
   *
   * For a supervisor that restarts a stuck process. The response never depends on a database, an upstream or another process. Rate limits do not apply.
   */
  getLiveness(request?: CallOptions): Promise<GetLivenessResult>;
  /**
   * Check that the server is ready. `GET /health/ready`
   *
   * For a load balancer that decides where to send requests. Returns 200 when the server can serve requests: `ready`, or `degraded` when a fault does not prevent it. Returns 503 when the server cannot. The body reports the state of each dependency. Rate limits do not apply.
   */
  getReadiness(request?: CallOptions): Promise<GetReadinessResult>;
  /**
   * Get request metrics. `GET /metrics`
   *
   * Returns Prometheus text, or JSON when the Accept header prefers `application/json`. Routes are identified by path templates, never by the paths that clients sent.
   */
  getMetrics(request?: GetMetricsArguments): Promise<GetMetricsResult>;
  /**
   * Get the OpenAPI document. `GET /openapi.json`
   *
   * Returns the contract of this server as one document without external references. It lists exactly the operations that are served.
   */
  getOpenapiDocument(request?: CallOptions): Promise<GetOpenapiDocumentResult>;
  /**
   * Open the roster page. `GET /`
   *
   * An HTML page that shows the staff, with search, tags and skills, and the API request that returns the same data. Users log in on the page. The page itself contains no data.
   */
  getRosterPage(request?: CallOptions): Promise<GetRosterPageResult>;
  /**
   * Load a file that the roster page uses. `GET /roster/{asset}`
   *
   * Style sheet, script or icon of the roster page. Any other name returns 404.
   */
  getRosterAsset(request: GetRosterAssetArguments): Promise<GetRosterAssetResult>;
  /**
   * Open the documentation in Swagger UI. `GET /docs`
   *
   * An HTML page that shows the OpenAPI document of this server in Swagger UI. It loads nothing from other origins.
   */
  getDocs(request?: CallOptions): Promise<GetDocsResult>;
  /**
   * Load a file that the Swagger UI page uses. `GET /docs/{asset}`
   *
   * A script or style sheet of the Swagger UI page, from this server's own copy. Any other name returns 404.
   */
  getDocsAsset(request: GetDocsAssetArguments): Promise<GetDocsAssetResult>;
  /**
   * Open the documentation in ReDoc. `GET /redoc`
   *
   * An HTML page that shows the OpenAPI document of this server in ReDoc. It loads nothing from other origins.
   */
  getRedoc(request?: CallOptions): Promise<GetRedocResult>;
  /**
   * Load a file that the ReDoc page uses. `GET /redoc/{asset}`
   *
   * A script or style sheet of the ReDoc page, from this server's own copy. Any other name returns 404.
   */
  getRedocAsset(request: GetRedocAssetArguments): Promise<GetRedocAssetResult>;
}

/** The call of each operation. */
export const calls: Readonly<Record<keyof StaffOperations, Call>> = {
  login: ['/v2/login', 'post', true],
  listStaffMembers: ['/v2/staffmember'],
  createStaffMember: ['/v2/staffmember', 'post'],
  getStaffMember: ['/v2/staffmember/{staff_key}'],
  updateStaffMember: ['/v2/staffmember/{staff_key}', 'put'],
  listStaffLocations: ['/v2/staffmember/{staff_key}/location'],
  addStaffLocationTag: ['/v2/staffmember/{staff_key}/location/{location_key}/tag', 'put'],
  addStaffTag: ['/v2/staffmember/{staff_key}/tag', 'post'],
  setStaffSkillset: ['/v2/staffmember/{staff_key}/skillset/{task_key}', 'put'],
  removeStaffSkillset: ['/v2/staffmember/{staff_key}/skillset/{task_key}', 'delete'],
  listStaffProfiles: ['/v2/staffmember/{staff_key}/profile'],
  setStaffProfile: ['/v2/staffmember/{staff_key}/profile/{profile_key}', 'put'],
  listPayModifiers: ['/v2/staffmember/{staff_key}/payModifier'],
  createPayModifier: ['/v2/staffmember/{staff_key}/payModifier', 'post'],
  updatePayModifier: ['/v2/staffmember/{staff_key}/payModifier/{pay_modifier_key}', 'put'],
  deletePayModifier: ['/v2/staffmember/{staff_key}/payModifier/{pay_modifier_key}', 'delete'],
  listBadgeIds: ['/v2/staffmember/{staff_key}/badgeId'],
  listRequestLimits: ['/v2/staffmember/{staff_key}/requestlimit'],
  setStaffManager: ['/v2/staffmember/{staff_key}/manager', 'post'],
  getHealth: ['/health', undefined, true],
  getLiveness: ['/health/live', undefined, true],
  getReadiness: ['/health/ready', undefined, true],
  getMetrics: ['/metrics', undefined, true, 'application/json, text/plain;q=0.5'],
  getOpenapiDocument: ['/openapi.json', undefined, true],
  getRosterPage: ['/', undefined, true, 'text/html'],
  getRosterAsset: ['/roster/{asset}', undefined, true, '*/*'],
  getDocs: ['/docs', undefined, true, 'text/html'],
  getDocsAsset: ['/docs/{asset}', undefined, true, '*/*'],
  getRedoc: ['/redoc', undefined, true, 'text/html'],
  getRedocAsset: ['/redoc/{asset}', undefined, true, '*/*'],
};

/** Returns the methods, which send their calls by `send`. */
export function createStaffOperations(send: Send): StaffOperations {
  return {
    login: (request) => send(calls.login, request),
    listStaffMembers: (request) => send(calls.listStaffMembers, request),
    createStaffMember: (request) => send(calls.createStaffMember, request),
    getStaffMember: (request) => send(calls.getStaffMember, request),
    updateStaffMember: (request) => send(calls.updateStaffMember, request),
    listStaffLocations: (request) => send(calls.listStaffLocations, request),
    addStaffLocationTag: (request) => send(calls.addStaffLocationTag, request),
    addStaffTag: (request) => send(calls.addStaffTag, request),
    setStaffSkillset: (request) => send(calls.setStaffSkillset, request),
    removeStaffSkillset: (request) => send(calls.removeStaffSkillset, request),
    listStaffProfiles: (request) => send(calls.listStaffProfiles, request),
    setStaffProfile: (request) => send(calls.setStaffProfile, request),
    listPayModifiers: (request) => send(calls.listPayModifiers, request),
    createPayModifier: (request) => send(calls.createPayModifier, request),
    updatePayModifier: (request) => send(calls.updatePayModifier, request),
    deletePayModifier: (request) => send(calls.deletePayModifier, request),
    listBadgeIds: (request) => send(calls.listBadgeIds, request),
    listRequestLimits: (request) => send(calls.listRequestLimits, request),
    setStaffManager: (request) => send(calls.setStaffManager, request),
    getHealth: (request) => send(calls.getHealth, request),
    getLiveness: (request) => send(calls.getLiveness, request),
    getReadiness: (request) => send(calls.getReadiness, request),
    getMetrics: (request) => send(calls.getMetrics, request),
    getOpenapiDocument: (request) => send(calls.getOpenapiDocument, request),
    getRosterPage: (request) => send(calls.getRosterPage, request),
    getRosterAsset: (request) => send(calls.getRosterAsset, request),
    getDocs: (request) => send(calls.getDocs, request),
    getDocsAsset: (request) => send(calls.getDocsAsset, request),
    getRedoc: (request) => send(calls.getRedoc, request),
    getRedocAsset: (request) => send(calls.getRedocAsset, request),
  };
}
