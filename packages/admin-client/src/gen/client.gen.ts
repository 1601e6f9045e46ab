// Written by tools/contract from specs/admin/gen/openapi.json. Do not edit: run `pnpm generate`.
import type { operations } from '@rostergate/admin-spec';
import type { Call, CallOptions, Send } from './transport.gen.ts';

/** Arguments of `listKeys`. */
export interface ListKeysArguments extends CallOptions {
  readonly query?: NonNullable<operations['listKeys']['parameters']['query']> | undefined;
}

/** Arguments of `createKey`. */
export interface CreateKeyArguments extends CallOptions {
  readonly body: NonNullable<operations['createKey']['requestBody']>['content']['application/json'];
}

/** Arguments of `getKey`. */
export interface GetKeyArguments extends CallOptions {
  readonly path: operations['getKey']['parameters']['path'];
}

/** Arguments of `updateKey`. */
export interface UpdateKeyArguments extends CallOptions {
  readonly path: operations['updateKey']['parameters']['path'];
  readonly body: NonNullable<operations['updateKey']['requestBody']>['content']['application/json'];
}

/** Arguments of `revokeKey`. */
export interface RevokeKeyArguments extends CallOptions {
  readonly path: operations['revokeKey']['parameters']['path'];
}

/** Arguments of `rotateKey`. */
export interface RotateKeyArguments extends CallOptions {
  readonly path: operations['rotateKey']['parameters']['path'];
  readonly body: NonNullable<operations['rotateKey']['requestBody']>['content']['application/json'];
}

/** Arguments of `listOwners`. */
export interface ListOwnersArguments extends CallOptions {
  readonly query?: NonNullable<operations['listOwners']['parameters']['query']> | undefined;
}

/** Arguments of `getUsage`. */
export interface GetUsageArguments extends CallOptions {
  readonly query?: NonNullable<operations['getUsage']['parameters']['query']> | undefined;
}

/** Arguments of `listAuditEntries`. */
export interface ListAuditEntriesArguments extends CallOptions {
  readonly query?: NonNullable<operations['listAuditEntries']['parameters']['query']> | undefined;
}

/** Result of `listKeys`. */
export type ListKeysResult = operations['listKeys']['responses'][200]['content']['application/json'];

/** Result of `createKey`. */
export type CreateKeyResult = operations['createKey']['responses'][201]['content']['application/json'];

/** Result of `getKey`. */
export type GetKeyResult = operations['getKey']['responses'][200]['content']['application/json'];

/** Result of `updateKey`. */
export type UpdateKeyResult = operations['updateKey']['responses'][200]['content']['application/json'];

/** Result of `revokeKey`. */
export type RevokeKeyResult = operations['revokeKey']['responses'][200]['content']['application/json'];

/** Result of `rotateKey`. */
export type RotateKeyResult = operations['rotateKey']['responses'][201]['content']['application/json'];

/** Result of `listOwners`. */
export type ListOwnersResult = operations['listOwners']['responses'][200]['content']['application/json'];

/** Result of `getUsage`. */
export type GetUsageResult = operations['getUsage']['responses'][200]['content']['application/json'];

/** Result of `listPlans`. */
export type ListPlansResult = operations['listPlans']['responses'][200]['content']['application/json'];

/** Result of `getConfigurationState`. */
export type GetConfigurationStateResult = operations['getConfigurationState']['responses'][200]['content']['application/json'];

/** Result of `listAuditEntries`. */
export type ListAuditEntriesResult = operations['listAuditEntries']['responses'][200]['content']['application/json'];

/** Result of `getOpenapiDocument`. */
export type GetOpenapiDocumentResult = operations['getOpenapiDocument']['responses'][200]['content']['application/json'];

/** One method per operationId of the contract. Each throws an `ApiProblem` for an error response. */
export interface AdminOperations {
  /**
   * List the keys. `GET /keys`
   *
   * Returns the keys in a stable order, expired and revoked ones included. The keys themselves and their digests are never returned.
   */
  listKeys(request?: ListKeysArguments): Promise<ListKeysResult>;
  /**
   * Create a key. `POST /keys`
   *
   * Creates a key and returns it once; only its SHA-256 digest is stored. A name that is taken returns 409. An unknown plan or scope returns 403: scopes are those of the endpoints, and `admin`.
   */
  createKey(request: CreateKeyArguments): Promise<CreateKeyResult>;
  /**
   * Get a key. `GET /keys/{name}`
   *
   * Returns a key by its name, without the key itself.
   */
  getKey(request: GetKeyArguments): Promise<GetKeyResult>;
  /**
   * Change the plan or the scopes of a key. `PATCH /keys/{name}`
   *
   * Replaces the scopes of the key, or the plan of its owner: on this key, and on the owner's other keys that name a plan.
   */
  updateKey(request: UpdateKeyArguments): Promise<UpdateKeyResult>;
  /**
   * Revoke a key. `POST /keys/{name}/revoke`
   *
   * Revokes the key. Its entry stays, so that requests with the key are rejected as revoked. A revoked key keeps the time of its first revocation.
   */
  revokeKey(request: RevokeKeyArguments): Promise<RevokeKeyResult>;
  /**
   * Replace a key. `POST /keys/{name}/rotate`
   *
   * Creates a successor of the key with the same owner, scopes and plan, and a name with the next number, `app-2` after `app`. The old key expires after the overlap. An expired or revoked key returns 409.
   */
  rotateKey(request: RotateKeyArguments): Promise<RotateKeyResult>;
  /**
   * List the owners of keys. `GET /owners`
   *
   * Returns the owners by name, with the number of their keys, expired and revoked ones included.
   */
  listOwners(request?: ListOwnersArguments): Promise<ListOwnersResult>;
  /**
   * Get how many requests keys have made. `GET /usage`
   *
   * Returns the finished requests of all owners, or of one, by hour or day in UTC. New requests appear after `flush_seconds` of the setting `usage` at the latest. Without that setting, the response is 501.
   */
  getUsage(request?: GetUsageArguments): Promise<GetUsageResult>;
  /**
   * List the plans. `GET /plans`
   *
   * Returns `plans` and `default_plan` of the running configuration.
   */
  listPlans(request?: CallOptions): Promise<ListPlansResult>;
  /**
   * Get the state of the configuration. `GET /configuration`
   *
   * Returns which configuration is served, and the faults of the last reload. Gateways with the same `revision` serve the same files at the same paths.
   */
  getConfigurationState(request?: CallOptions): Promise<GetConfigurationStateResult>;
  /**
   * List who changed which key. `GET /audit`
   *
   * Returns the newest changes of keys, latest first, never keys or digests. keys.json records no changes, and returns 501; they are in the log of the gateway.
   */
  listAuditEntries(request?: ListAuditEntriesArguments): Promise<ListAuditEntriesResult>;
  /**
   * Get the OpenAPI document. `GET /openapi.json`
   *
   * Returns the contract of this server as one document without external references. It lists exactly the operations that are served.
   */
  getOpenapiDocument(request?: CallOptions): Promise<GetOpenapiDocumentResult>;
}

/** The call of each operation. */
export const calls: Readonly<Record<keyof AdminOperations, Call>> = {
  listKeys: ['/keys'],
  createKey: ['/keys', 'post'],
  getKey: ['/keys/{name}'],
  updateKey: ['/keys/{name}', 'patch'],
  revokeKey: ['/keys/{name}/revoke', 'post'],
  rotateKey: ['/keys/{name}/rotate', 'post'],
  listOwners: ['/owners'],
  getUsage: ['/usage'],
  listPlans: ['/plans'],
  getConfigurationState: ['/configuration'],
  listAuditEntries: ['/audit'],
  getOpenapiDocument: ['/openapi.json', undefined, true],
};

/** Returns the methods, which send their calls by `send`. */
export function createAdminOperations(send: Send): AdminOperations {
  return {
    listKeys: (request) => send(calls.listKeys, request),
    createKey: (request) => send(calls.createKey, request),
    getKey: (request) => send(calls.getKey, request),
    updateKey: (request) => send(calls.updateKey, request),
    revokeKey: (request) => send(calls.revokeKey, request),
    rotateKey: (request) => send(calls.rotateKey, request),
    listOwners: (request) => send(calls.listOwners, request),
    getUsage: (request) => send(calls.getUsage, request),
    listPlans: (request) => send(calls.listPlans, request),
    getConfigurationState: (request) => send(calls.getConfigurationState, request),
    listAuditEntries: (request) => send(calls.listAuditEntries, request),
    getOpenapiDocument: (request) => send(calls.getOpenapiDocument, request),
  };
}
