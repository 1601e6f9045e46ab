// Written by tools/contract from specs/admin/gen/openapi.json. Do not edit: run `pnpm generate`.
import type { Handler, OperationTable, Principal } from '@rostergate/server';
import type { operations as types } from '@rostergate/admin-spec';

/** The handlers that a server of the contract implements, one per operation. */
export interface AdminHandlers<P extends Principal = Principal> {
  /**
   * Get the state of the configuration. `GET /configuration`
   *
   * Responses: 200, 400, 401, 403, 429, 500, 503, default.
   */
  readonly getConfigurationState: Handler<types['getConfigurationState'], P>;
  /**
   * List the plans. `GET /plans`
   *
   * Responses: 200, 400, 401, 403, 429, 500, 503, default.
   */
  readonly listPlans: Handler<types['listPlans'], P>;
  /**
   * Get the OpenAPI document. `GET /openapi.json`
   *
   * Responses: 200, 304, 400, 401, 429, 500, default.
   */
  readonly getOpenapiDocument: Handler<types['getOpenapiDocument'], P>;
  /**
   * Create a key. `POST /keys`
   *
   * Parameters: `NewKey`.
   * Responses: 201, 400, 401, 403, 409, 413, 415, 429, 500, 503, default.
   */
  readonly createKey: Handler<types['createKey'], P>;
  /**
   * Get a key. `GET /keys/{name}`
   *
   * Parameters: `name`.
   * Responses: 200, 400, 401, 403, 404, 429, 500, 503, default.
   */
  readonly getKey: Handler<types['getKey'], P>;
  /**
   * Get how many requests keys have made. `GET /usage`
   *
   * Parameters: `from`, `to`, `interval`, `by`, `owner`.
   * Responses: 200, 400, 401, 403, 429, 500, 501, 503, default.
   */
  readonly getUsage: Handler<types['getUsage'], P>;
  /**
   * List who changed which key. `GET /audit`
   *
   * Parameters: `limit`.
   * Responses: 200, 400, 401, 403, 429, 500, 501, 503, default.
   */
  readonly listAuditEntries: Handler<types['listAuditEntries'], P>;
  /**
   * List the keys. `GET /keys`
   *
   * Parameters: `owner`, `after`, `limit`.
   * Responses: 200, 400, 401, 403, 429, 500, 503, default.
   */
  readonly listKeys: Handler<types['listKeys'], P>;
  /**
   * List the owners of keys. `GET /owners`
   *
   * Parameters: `after`, `limit`.
   * Responses: 200, 400, 401, 403, 429, 500, 503, default.
   */
  readonly listOwners: Handler<types['listOwners'], P>;
  /**
   * Revoke a key. `POST /keys/{name}/revoke`
   *
   * Parameters: `name`.
   * Responses: 200, 400, 401, 403, 404, 429, 500, 503, default.
   */
  readonly revokeKey: Handler<types['revokeKey'], P>;
  /**
   * Replace a key. `POST /keys/{name}/rotate`
   *
   * Parameters: `name`, `Rotation`.
   * Responses: 201, 400, 401, 403, 404, 409, 413, 415, 429, 500, 503, default.
   */
  readonly rotateKey: Handler<types['rotateKey'], P>;
  /**
   * Change the plan or the scopes of a key. `PATCH /keys/{name}`
   *
   * Parameters: `name`, `KeyChange`.
   * Responses: 200, 400, 401, 403, 404, 409, 413, 415, 429, 500, 503, default.
   */
  readonly updateKey: Handler<types['updateKey'], P>;
}

/** All operations of the contract, by operationId. */
export const operations = {
  getConfigurationState: {
    operationId: 'getConfigurationState',
    method: 'get',
    path: '/configuration',
    tag: 'Configuration',
    requiredScopes: ['admin',],
  },
  listPlans: {
    operationId: 'listPlans',
    method: 'get',
    path: '/plans',
    tag: 'Configuration',
    requiredScopes: ['admin',],
  },
  getOpenapiDocument: {
    operationId: 'getOpenapiDocument',
    method: 'get',
    path: '/openapi.json',
    tag: 'Documentation',
  },
  createKey: {
    operationId: 'createKey',
    method: 'post',
    path: '/keys',
    tag: 'Keys',
    requiredScopes: ['admin',],
  },
  getKey: {
    operationId: 'getKey',
    method: 'get',
    path: '/keys/{name}',
    tag: 'Keys',
    requiredScopes: ['admin',],
  },
  getUsage: {
    operationId: 'getUsage',
    method: 'get',
    path: '/usage',
    tag: 'Keys',
    requiredScopes: ['admin',],
  },
  listAuditEntries: {
    operationId: 'listAuditEntries',
    method: 'get',
    path: '/audit',
    tag: 'Keys',
    requiredScopes: ['admin',],
  },
  listKeys: {
    operationId: 'listKeys',
    method: 'get',
    path: '/keys',
    tag: 'Keys',
    requiredScopes: ['admin',],
  },
  listOwners: {
    operationId: 'listOwners',
    method: 'get',
    path: '/owners',
    tag: 'Keys',
    requiredScopes: ['admin',],
  },
  revokeKey: {
    operationId: 'revokeKey',
    method: 'post',
    path: '/keys/{name}/revoke',
    tag: 'Keys',
    requiredScopes: ['admin',],
  },
  rotateKey: {
    operationId: 'rotateKey',
    method: 'post',
    path: '/keys/{name}/rotate',
    tag: 'Keys',
    requiredScopes: ['admin',],
  },
  updateKey: {
    operationId: 'updateKey',
    method: 'patch',
    path: '/keys/{name}',
    tag: 'Keys',
    requiredScopes: ['admin',],
  },
} as const satisfies OperationTable;

export type OperationId = keyof typeof operations;
