// Written by tools/contract from specs/staff/gen/openapi.json. Do not edit: run `pnpm generate`.
import type { operations } from '@rostergate/staff-spec';
import type { Call, CallOptions, CallRequest, Send } from './transport.gen.ts';

/** What `login` takes. */
export interface LoginArguments extends CallOptions {
  readonly body: NonNullable<operations['login']['requestBody']>['content']['application/json'];
}

/** What `listStaffMembers` takes. */
export interface ListStaffMembersArguments extends CallOptions {
  readonly query: NonNullable<operations['listStaffMembers']['parameters']['query']>;
}

/** What `createStaffMember` takes. */
export interface CreateStaffMemberArguments extends CallOptions {
  readonly body: NonNullable<operations['createStaffMember']['requestBody']>['content']['application/json'];
  /** `If-Match`: an ETag, of `etagOf(…)`. */
  readonly ifMatch?: string | undefined;
}

/** What `getStaffMember` takes. */
export interface GetStaffMemberArguments extends CallOptions {
  readonly path: operations['getStaffMember']['parameters']['path'];
  readonly query?: NonNullable<operations['getStaffMember']['parameters']['query']> | undefined;
  /** `If-None-Match`: an ETag, of `etagOf(…)`. */
  readonly ifNoneMatch?: string | undefined;
}

/** What `updateStaffMember` takes. */
export interface UpdateStaffMemberArguments extends CallOptions {
  readonly path: operations['updateStaffMember']['parameters']['path'];
  readonly body: NonNullable<operations['updateStaffMember']['requestBody']>['content']['application/json'];
  /** `If-Match`: an ETag, of `etagOf(…)`. */
  readonly ifMatch?: string | undefined;
}

/** What `listStaffLocations` takes. */
export interface ListStaffLocationsArguments extends CallOptions {
  readonly path: operations['listStaffLocations']['parameters']['path'];
}

/** What `addStaffLocationTag` takes. */
export interface AddStaffLocationTagArguments extends CallOptions {
  readonly path: operations['addStaffLocationTag']['parameters']['path'];
  readonly body: NonNullable<operations['addStaffLocationTag']['requestBody']>['content']['application/json'];
  /** `If-Match`: an ETag, of `etagOf(…)`. */
  readonly ifMatch?: string | undefined;
}

/** What `addStaffTag` takes. */
export interface AddStaffTagArguments extends CallOptions {
  readonly path: operations['addStaffTag']['parameters']['path'];
  readonly body: NonNullable<operations['addStaffTag']['requestBody']>['content']['application/json'];
  /** `If-Match`: an ETag, of `etagOf(…)`. */
  readonly ifMatch?: string | undefined;
}

/** What `setStaffSkillset` takes. */
export interface SetStaffSkillsetArguments extends CallOptions {
  readonly path: operations['setStaffSkillset']['parameters']['path'];
  readonly body: NonNullable<operations['setStaffSkillset']['requestBody']>['content']['application/json'];
  /** `If-Match`: an ETag, of `etagOf(…)`. */
  readonly ifMatch?: string | undefined;
}

/** What `removeStaffSkillset` takes. */
export interface RemoveStaffSkillsetArguments extends CallOptions {
  readonly path: operations['removeStaffSkillset']['parameters']['path'];
  /** `If-Match`: an ETag, of `etagOf(…)`. */
  readonly ifMatch?: string | undefined;
}

/** What `listStaffProfiles` takes. */
export interface ListStaffProfilesArguments extends CallOptions {
  readonly path: operations['listStaffProfiles']['parameters']['path'];
}

/** What `setStaffProfile` takes. */
export interface SetStaffProfileArguments extends CallOptions {
  readonly path: operations['setStaffProfile']['parameters']['path'];
  readonly body: NonNullable<operations['setStaffProfile']['requestBody']>['content']['application/json'];
  /** `If-Match`: an ETag, of `etagOf(…)`. */
  readonly ifMatch?: string | undefined;
}

/** What `listPayModifiers` takes. */
export interface ListPayModifiersArguments extends CallOptions {
  readonly path: operations['listPayModifiers']['parameters']['path'];
}

/** What `createPayModifier` takes. */
export interface CreatePayModifierArguments extends CallOptions {
  readonly path: operations['createPayModifier']['parameters']['path'];
  readonly body: NonNullable<operations['createPayModifier']['requestBody']>['content']['application/json'];
  /** `If-Match`: an ETag, of `etagOf(…)`. */
  readonly ifMatch?: string | undefined;
}

/** What `updatePayModifier` takes. */
export interface UpdatePayModifierArguments extends CallOptions {
  readonly path: operations['updatePayModifier']['parameters']['path'];
  readonly body: NonNullable<operations['updatePayModifier']['requestBody']>['content']['application/json'];
  /** `If-Match`: an ETag, of `etagOf(…)`. */
  readonly ifMatch?: string | undefined;
}

/** What `deletePayModifier` takes. */
export interface DeletePayModifierArguments extends CallOptions {
  readonly path: operations['deletePayModifier']['parameters']['path'];
  /** `If-Match`: an ETag, of `etagOf(…)`. */
  readonly ifMatch?: string | undefined;
}

/** What `listBadgeIds` takes. */
export interface ListBadgeIdsArguments extends CallOptions {
  readonly path: operations['listBadgeIds']['parameters']['path'];
}

/** What `listRequestLimits` takes. */
export interface ListRequestLimitsArguments extends CallOptions {
  readonly path: operations['listRequestLimits']['parameters']['path'];
  readonly query?: NonNullable<operations['listRequestLimits']['parameters']['query']> | undefined;
}

/** What `setStaffManager` takes. */
export interface SetStaffManagerArguments extends CallOptions {
  readonly path: operations['setStaffManager']['parameters']['path'];
  readonly body: NonNullable<operations['setStaffManager']['requestBody']>['content']['application/json'];
  /** `If-Match`: an ETag, of `etagOf(…)`. */
  readonly ifMatch?: string | undefined;
}

/** What `getMetrics` takes. */
export interface GetMetricsArguments extends CallOptions {
  readonly query?: NonNullable<operations['getMetrics']['parameters']['query']> | undefined;
}

/** What `getRosterAsset` takes. */
export interface GetRosterAssetArguments extends CallOptions {
  readonly path: operations['getRosterAsset']['parameters']['path'];
}

/** What `getDocsAsset` takes. */
export interface GetDocsAssetArguments extends CallOptions {
  readonly path: operations['getDocsAsset']['parameters']['path'];
}

/** What `getRedocAsset` takes. */
export interface GetRedocAssetArguments extends CallOptions {
  readonly path: operations['getRedocAsset']['parameters']['path'];
}

/** What `login` gives. */
export type LoginResult = operations['login']['responses'][200]['content']['application/json'];

/** What `listStaffMembers` gives. */
export type ListStaffMembersResult = operations['listStaffMembers']['responses'][200]['content']['application/json'];

/** What `createStaffMember` gives. */
export type CreateStaffMemberResult =
  | operations['createStaffMember']['responses'][200]['content']['application/json']
  | operations['createStaffMember']['responses'][201]['content']['application/json'];

/** What `getStaffMember` gives. */
export type GetStaffMemberResult =
  | operations['getStaffMember']['responses'][200]['content']['application/json']
  | undefined;

/** What `updateStaffMember` gives. */
export type UpdateStaffMemberResult = operations['updateStaffMember']['responses'][200]['content']['application/json'];

/** What `listStaffLocations` gives. */
export type ListStaffLocationsResult = operations['listStaffLocations']['responses'][200]['content']['application/json'];

/** What `addStaffLocationTag` gives. */
export type AddStaffLocationTagResult = operations['addStaffLocationTag']['responses'][200]['content']['application/json'];

/** What `addStaffTag` gives. */
export type AddStaffTagResult = operations['addStaffTag']['responses'][201]['content']['application/json'];

/** What `setStaffSkillset` gives. */
export type SetStaffSkillsetResult = operations['setStaffSkillset']['responses'][200]['content']['application/json'];

/** What `removeStaffSkillset` gives. */
export type RemoveStaffSkillsetResult = operations['removeStaffSkillset']['responses'][200]['content']['application/json'];

/** What `listStaffProfiles` gives. */
export type ListStaffProfilesResult = operations['listStaffProfiles']['responses'][200]['content']['application/json'];

/** What `setStaffProfile` gives. */
export type SetStaffProfileResult = operations['setStaffProfile']['responses'][200]['content']['application/json'];

/** What `listPayModifiers` gives. */
export type ListPayModifiersResult = operations['listPayModifiers']['responses'][200]['content']['application/json'];

/** What `createPayModifier` gives. */
export type CreatePayModifierResult = operations['createPayModifier']['responses'][201]['content']['application/json'];

/** What `updatePayModifier` gives. */
export type UpdatePayModifierResult = operations['updatePayModifier']['responses'][200]['content']['application/json'];

/** What `deletePayModifier` gives. */
export type DeletePayModifierResult = operations['deletePayModifier']['responses'][200]['content']['application/json'];

/** What `listBadgeIds` gives. */
export type ListBadgeIdsResult = operations['listBadgeIds']['responses'][200]['content']['application/json'];

/** What `listRequestLimits` gives. */
export type ListRequestLimitsResult = operations['listRequestLimits']['responses'][200]['content']['application/json'];

/** What `setStaffManager` gives. */
export type SetStaffManagerResult = operations['setStaffManager']['responses'][200]['content']['application/json'];

/** What `getHealth` gives. */
export type GetHealthResult = operations['getHealth']['responses'][200]['content']['application/json'];

/** What `getLiveness` gives. */
export type GetLivenessResult = operations['getLiveness']['responses'][200]['content']['application/json'];

/** What `getReadiness` gives. */
export type GetReadinessResult = operations['getReadiness']['responses'][200]['content']['application/json'];

/** What `getMetrics` gives. */
export type GetMetricsResult =
  | operations['getMetrics']['responses'][200]['content']['application/json']
  | string;

/** What `getOpenapiDocument` gives. */
export type GetOpenapiDocumentResult = operations['getOpenapiDocument']['responses'][200]['content']['application/json'];

/** What `getRosterPage` gives. */
export type GetRosterPageResult = string;

/** What `getRosterAsset` gives. */
export type GetRosterAssetResult = string;

/** What `getDocs` gives. */
export type GetDocsResult = string;

/** What `getDocsAsset` gives. */
export type GetDocsAssetResult = string;

/** What `getRedoc` gives. */
export type GetRedocResult = string;

/** What `getRedocAsset` gives. */
export type GetRedocAssetResult = string;

/** One method for each operation of the contract, by operationId. Each throws an `ApiProblem` for an error answer. */
export interface StaffOperations {
  /**
   * Exchange credentials for a token. `POST /v2/login`
   *
   * Checks the email and password of an account and returns a bearer token (RFC 6750). Send it as `Authorization: Bearer <token>` with every other request, and log in again when it has expired. Credentials are read from the body alone, as a form or as JSON, of at most 16 KiB; repeated failures are slowed down with 429.
   */
  login(request: LoginArguments): Promise<LoginResult>;
  /**
   * List the staff of a company. `GET /v2/staffmember`
   *
   * Returns the staff of one company as a bare JSON array. Without `$orderby` it is ordered by StaffKey, and ties are always ordered by StaffKey; without `$top` the whole company is returned; nobody matching is an empty array. A collection is null unless `$expand` or `includes` names it, and to an account that is not an admin Tags, TTCMTags, Skillset, Profiles and AvailableProfiles are empty arrays then. The options are applied in the order `$filter`, `$count`, `$orderby`, `$skip`, `$top`, `$expand`, `$select`. A caller that sends `$count=true`, or accepts `application/json;odata.metadata=minimal`, gets the OData envelope instead of the bare array, and may ask for it part by part with `Prefer: maxpagesize=<n>`. Query parameters that are not declared here are 400.
   */
  listStaffMembers(request: ListStaffMembersArguments): Promise<ListStaffMembersResult>;
  /**
   * Create a person. `POST /v2/staffmember`
   *
   * Adds a person to the account's company. StaffId is required; FirstName, LastName and Abbrev become `CHANGEME` when they are not sent. When a person with this StaffId exists, the request is 409, or with `UpdateIfExisting` that person is updated with the members sent and the answer is 200. Members that the schema does not name are 400.
   */
  createStaffMember(request: CreateStaffMemberArguments): Promise<CreateStaffMemberResult>;
  /**
   * Read one person. `GET /v2/staffmember/{staff_key}`
   *
   * Returns one person of the account's company. A key that is unknown, or belongs to another company, is 404; so is a person that `$filter` does not match. The company follows from the account, so there is no companyKey here. A collection is null unless `$expand` or `includes` names it, and to an account that is not an admin Tags, TTCMTags, Skillset, Profiles and AvailableProfiles are empty arrays then. `$orderby` is checked, and has nothing to order.
   */
  getStaffMember(request: GetStaffMemberArguments): Promise<GetStaffMemberResult>;
  /**
   * Change a person. `PUT /v2/staffmember/{staff_key}`
   *
   * Changes the members that are sent and leaves all others as they are; null clears a property. Keys, collections and what the server keeps itself cannot be set here. A StaffId that another person of the company has is 409. The answer is the person as changed.
   */
  updateStaffMember(request: UpdateStaffMemberArguments): Promise<UpdateStaffMemberResult>;
  /**
   * List a person's locations. `GET /v2/staffmember/{staff_key}/location`
   *
   * Returns the locations that a person works at, ordered by LocationKey, as a bare array. To an account that is not an admin every `Tags` in it is an empty array.
   */
  listStaffLocations(request: ListStaffLocationsArguments): Promise<ListStaffLocationsResult>;
  /**
   * Tag a person's location. `PUT /v2/staffmember/{staff_key}/location/{location_key}/tag`
   *
   * Sets a tag on a person's location, named either by category and name or by TagKey, from `effectiveDate` on or from today. Within one category a tag ends where the next begins, the last on 2100-01-01, and one with the same start is replaced. A tag that is there already gets the new date, and the one before it lasts until the next. A tag that the company does not have is 400; a location that the person does not have is 404.
   */
  addStaffLocationTag(request: AddStaffLocationTagArguments): Promise<AddStaffLocationTagResult>;
  /**
   * Tag a person. `POST /v2/staffmember/{staff_key}/tag`
   *
   * Adds a tag to a person, named either by category and name or by TagKey, from `effectiveDate` on or from today. The answer is the tag's category with all tags of it that the person has. A tag that the person has already gets the new date. Every tag ends on 2100-01-01, so `effectiveDate` is before that. A tag that the company does not have is 400. Tags are read with the person, by `$expand=Tags`; GET on this path is 405.
   */
  addStaffTag(request: AddStaffTagArguments): Promise<AddStaffTagResult>;
  /**
   * Set the days on which a person does a task. `PUT /v2/staffmember/{staff_key}/skillset/{task_key}`
   *
   * Makes a person skilled for a task on the days that are sent and returns the whole entry. Days that are not sent stay as they are. A task that is new to the person is added; a task that the company does not have is 404.
   */
  setStaffSkillset(request: SetStaffSkillsetArguments): Promise<SetStaffSkillsetResult>;
  /**
   * Remove a task from a person. `DELETE /v2/staffmember/{staff_key}/skillset/{task_key}`
   *
   * Takes a task out of a person's skillset, on all days. A task that the person is not skilled for is 404.
   */
  removeStaffSkillset(request: RemoveStaffSkillsetArguments): Promise<RemoveStaffSkillsetResult>;
  /**
   * List a person's profiles. `GET /v2/staffmember/{staff_key}/profile`
   *
   * Returns the profiles that a person has, ordered by ProfileKey, as a bare array. To an account that is not an admin the array is empty.
   */
  listStaffProfiles(request: ListStaffProfilesArguments): Promise<ListStaffProfilesResult>;
  /**
   * Set what a person may do in a profile. `PUT /v2/staffmember/{staff_key}/profile/{profile_key}`
   *
   * Gives a person a profile, or changes what the person may do in it, and returns the entry. Members that are not sent stay as they are; on a profile that is new to the person IsViewable is true and IsSchedulable false. A profile that the company does not have is 404.
   */
  setStaffProfile(request: SetStaffProfileArguments): Promise<SetStaffProfileResult>;
  /**
   * List a person's pay modifiers. `GET /v2/staffmember/{staff_key}/payModifier`
   *
   * Returns the pay modifiers of a person, ordered by PayModifierKey, as a bare array. To an account that is not an admin PayModifierTagKeys is an empty array, and LocationTagKey and TaskTagKey are null.
   */
  listPayModifiers(request: ListPayModifiersArguments): Promise<ListPayModifiersResult>;
  /**
   * Create a pay modifier. `POST /v2/staffmember/{staff_key}/payModifier`
   *
   * Adds a pay modifier to a person and returns it with its key. One object goes in and one comes out. StartDate may not be after EndDate, and every tag that is named must exist; each fault is listed in the 400.
   */
  createPayModifier(request: CreatePayModifierArguments): Promise<CreatePayModifierResult>;
  /**
   * Change a pay modifier. `PUT /v2/staffmember/{staff_key}/payModifier/{pay_modifier_key}`
   *
   * Changes the members that are sent and leaves all others as they are; `PayModifierTags` replaces the tags as a whole. The rules of creating hold for the outcome.
   */
  updatePayModifier(request: UpdatePayModifierArguments): Promise<UpdatePayModifierResult>;
  /**
   * Delete a pay modifier. `DELETE /v2/staffmember/{staff_key}/payModifier/{pay_modifier_key}`
   *
   * Deletes a pay modifier of a person. One that is unknown, or belongs to another person, is 404.
   */
  deletePayModifier(request: DeletePayModifierArguments): Promise<DeletePayModifierResult>;
  /**
   * List a person's badges. `GET /v2/staffmember/{staff_key}/badgeId`
   *
   * Returns the badges of a person, ordered by BadgeId, as a bare array.
   */
  listBadgeIds(request: ListBadgeIdsArguments): Promise<ListBadgeIdsResult>;
  /**
   * List a person's request limits. `GET /v2/staffmember/{staff_key}/requestlimit`
   *
   * Returns the limits on requests that name a person, ordered by Key, as a bare array. ShiftCredits and StaffLimits are null unless they are included.
   */
  listRequestLimits(request: ListRequestLimitsArguments): Promise<ListRequestLimitsResult>;
  /**
   * Set or clear a person's manager. `POST /v2/staffmember/{staff_key}/manager`
   *
   * Sets the manager by StaffId or by key, or clears it, and returns the person. Exactly one member is sent. A manager who does not exist in the company, or who would come to manage themselves through others, is 400.
   */
  setStaffManager(request: SetStaffManagerArguments): Promise<SetStaffManagerResult>;
  /**
   * Tell that the server answers. `GET /health`
   *
   * Answers 200 as long as the server answers requests at all, with the version that is running. It looks at nothing else; ask /health/ready whether work can be done. Rate limits do not apply.
   */
  getHealth(request?: CallOptions): Promise<GetHealthResult>;
  /**
   * Tell that the process is alive. `GET /health/live`
   *
   * For a supervisor that restarts a stuck process. The answer never depends on a database, an upstream or any other process. Rate limits do not apply.
   */
  getLiveness(request?: CallOptions): Promise<GetLivenessResult>;
  /**
   * Tell whether the server can do its work. `GET /health/ready`
   *
   * For a load balancer that decides where to send requests. Answers 200 when the server can do its work (`ready`, or `degraded` when something is amiss that does not stop it) and 503 when it cannot, naming each dependency and its state. Rate limits do not apply.
   */
  getReadiness(request?: CallOptions): Promise<GetReadinessResult>;
  /**
   * Read counts and times of requests. `GET /metrics`
   *
   * Prometheus text by default, JSON when the Accept header prefers `application/json`. Routes appear under their path templates, never under the paths that callers sent.
   */
  getMetrics(request?: GetMetricsArguments): Promise<GetMetricsResult>;
  /**
   * Read the OpenAPI document of this server. `GET /openapi.json`
   *
   * The contract that this server keeps, as one document without outside references. It lists exactly the operations that are served.
   */
  getOpenapiDocument(request?: CallOptions): Promise<GetOpenapiDocumentResult>;
  /**
   * Look at a roster. `GET /`
   *
   * A page for people: who is on the staff, with search, tags and skills, and the request that shows the same through this API. One signs in on the page; the page itself holds no data.
   */
  getRosterPage(request?: CallOptions): Promise<GetRosterPageResult>;
  /**
   * Load a file that the roster page uses. `GET /roster/{asset}`
   *
   * Style sheet, script and icon of the roster page. Any other name is 404.
   */
  getRosterAsset(request: GetRosterAssetArguments): Promise<GetRosterAssetResult>;
  /**
   * Open the documentation in Swagger UI. `GET /docs`
   *
   * An HTML page that shows the OpenAPI document of this server in Swagger UI. It loads nothing from another origin.
   */
  getDocs(request?: CallOptions): Promise<GetDocsResult>;
  /**
   * Load a file that the Swagger UI page uses. `GET /docs/{asset}`
   *
   * A script or style sheet of the Swagger UI page, served from this server's own copy. Any other name is 404.
   */
  getDocsAsset(request: GetDocsAssetArguments): Promise<GetDocsAssetResult>;
  /**
   * Open the documentation in ReDoc. `GET /redoc`
   *
   * An HTML page that shows the OpenAPI document of this server in ReDoc. It loads nothing from another origin.
   */
  getRedoc(request?: CallOptions): Promise<GetRedocResult>;
  /**
   * Load a file that the ReDoc page uses. `GET /redoc/{asset}`
   *
   * A script or style sheet of the ReDoc page, served from this server's own copy. Any other name is 404.
   */
  getRedocAsset(request: GetRedocAssetArguments): Promise<GetRedocAssetResult>;
}

/** What the contract says of each operation, as far as calling it goes. */
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

/** Builds the methods over something that sends calls. */
export function createStaffOperations(send: Send): StaffOperations {
  const methods: Record<string, (request?: CallRequest) => Promise<unknown>> = {};
  for (const id in calls) methods[id] = (request) => send(calls[id as keyof typeof calls], request);
  return methods as unknown as StaffOperations;
}
