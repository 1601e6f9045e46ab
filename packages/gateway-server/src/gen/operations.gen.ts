// Written by tools/contract from specs/gateway/gen/openapi.json. Do not edit: run `pnpm generate`.
import type { Handler, OperationTable, Principal } from '@rostergate/server';
import type { operations as types } from '@rostergate/gateway-spec';

/** The handlers that a server of the contract implements, one per operation. */
export interface GatewayHandlers<P extends Principal = Principal> {
  /**
   * Call tools as an AI agent. `POST /mcp`
   *
   * Parameters: `JsonRpcMessage`.
   * Responses: 200, 202, 400, 401, 403, 404, 413, 415, 429, 500, default.
   */
  readonly callMcp: Handler<types['callMcp'], P>;
  /**
   * Get where tokens for /mcp are issued. `GET /.well-known/oauth-protected-resource/mcp`
   *
   * Responses: 200, 400, 401, 429, 500, default.
   */
  readonly getMcpMetadata: Handler<types['getMcpMetadata'], P>;
  /**
   * Check that your key or token is valid. `GET /auth/status`
   *
   * Responses: 200, 400, 401, 429, 500, default.
   */
  readonly getAuthStatus: Handler<types['getAuthStatus'], P>;
  /**
   * Validate a key or token. `GET /auth/validate`
   *
   * Responses: 200, 400, 429, 500, default.
   */
  readonly validateKey: Handler<types['validateKey'], P>;
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
   * Load a file that the landing page uses. `GET /assets/{asset}`
   *
   * Parameters: `asset`.
   * Responses: 200, 304, 400, 401, 404, 429, 500, default.
   */
  readonly getLandingAsset: Handler<types['getLandingAsset'], P>;
  /**
   * Open the landing page. `GET /`
   *
   * Parameters: `q`, `tag`, `page`.
   * Responses: 200, 304, 400, 401, 429, 500, default.
   */
  readonly getLandingPage: Handler<types['getLandingPage'], P>;
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
   * List the configured endpoints. `GET /endpoints`
   *
   * Responses: 200, 400, 401, 429, 500, default.
   */
  readonly listEndpoints: Handler<types['listEndpoints'], P>;
  /**
   * Sign in to the developer portal. `GET /portal/sign-in`
   *
   * Responses: 303, 400, 401, 403, 429, 500, 503, default.
   */
  readonly beginPortalSignIn: Handler<types['beginPortalSignIn'], P>;
  /**
   * Complete the sign-in to the developer portal. `GET /portal/callback`
   *
   * Parameters: `response`.
   * Responses: 303, 400, 401, 403, 429, 500, 503, default.
   */
  readonly completePortalSignIn: Handler<types['completePortalSignIn'], P>;
  /**
   * Create an API key in the developer portal. `POST /portal/keys`
   *
   * Parameters: `name`, `plan`, `scopes`.
   * Responses: 201, 400, 401, 403, 409, 413, 415, 429, 500, 503, default.
   */
  readonly createPortalKey: Handler<types['createPortalKey'], P>;
  /**
   * Sign out of the developer portal. `POST /portal/sign-out`
   *
   * Responses: 303, 400, 401, 403, 429, 500, default.
   */
  readonly endPortalSession: Handler<types['endPortalSession'], P>;
  /**
   * Open the developer portal. `GET /portal`
   *
   * Responses: 200, 400, 401, 403, 429, 500, 503, default.
   */
  readonly getPortal: Handler<types['getPortal'], P>;
  /**
   * Load a file that the developer portal uses. `GET /portal/assets/{asset}`
   *
   * Parameters: `asset`.
   * Responses: 200, 304, 400, 401, 404, 429, 500, default.
   */
  readonly getPortalAsset: Handler<types['getPortalAsset'], P>;
  /**
   * Revoke an API key in the developer portal. `POST /portal/keys/{key}/revoke`
   *
   * Parameters: `key`.
   * Responses: 303, 400, 401, 403, 404, 429, 500, 503, default.
   */
  readonly revokePortalKey: Handler<types['revokePortalKey'], P>;
  /**
   * Rotate an API key in the developer portal. `POST /portal/keys/{key}/rotate`
   *
   * Parameters: `key`, `overlap_hours`.
   * Responses: 201, 400, 401, 403, 404, 409, 413, 415, 429, 500, 503, default.
   */
  readonly rotatePortalKey: Handler<types['rotatePortalKey'], P>;
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
   * Get how many requests your keys have made. `GET /usage`
   *
   * Parameters: `from`, `to`, `interval`, `by`, `owner`.
   * Responses: 200, 400, 401, 404, 429, 500, 503, default.
   */
  readonly getUsage: Handler<types['getUsage'], P>;
}

/** All operations of the contract, by operationId. */
export const operations = {
  callMcp: {
    operationId: 'callMcp',
    method: 'post',
    path: '/mcp',
    tag: 'Agents',
  },
  getMcpMetadata: {
    operationId: 'getMcpMetadata',
    method: 'get',
    path: '/.well-known/oauth-protected-resource/mcp',
    tag: 'Agents',
  },
  getAuthStatus: {
    operationId: 'getAuthStatus',
    method: 'get',
    path: '/auth/status',
    tag: 'Authentication',
  },
  validateKey: {
    operationId: 'validateKey',
    method: 'get',
    path: '/auth/validate',
    tag: 'Authentication',
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
  getLandingAsset: {
    operationId: 'getLandingAsset',
    method: 'get',
    path: '/assets/{asset}',
    tag: 'Documentation',
  },
  getLandingPage: {
    operationId: 'getLandingPage',
    method: 'get',
    path: '/',
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
  listEndpoints: {
    operationId: 'listEndpoints',
    method: 'get',
    path: '/endpoints',
    tag: 'Endpoints',
  },
  beginPortalSignIn: {
    operationId: 'beginPortalSignIn',
    method: 'get',
    path: '/portal/sign-in',
    tag: 'Portal',
  },
  completePortalSignIn: {
    operationId: 'completePortalSignIn',
    method: 'get',
    path: '/portal/callback',
    tag: 'Portal',
  },
  createPortalKey: {
    operationId: 'createPortalKey',
    method: 'post',
    path: '/portal/keys',
    tag: 'Portal',
  },
  endPortalSession: {
    operationId: 'endPortalSession',
    method: 'post',
    path: '/portal/sign-out',
    tag: 'Portal',
  },
  getPortal: {
    operationId: 'getPortal',
    method: 'get',
    path: '/portal',
    tag: 'Portal',
  },
  getPortalAsset: {
    operationId: 'getPortalAsset',
    method: 'get',
    path: '/portal/assets/{asset}',
    tag: 'Portal',
  },
  revokePortalKey: {
    operationId: 'revokePortalKey',
    method: 'post',
    path: '/portal/keys/{key}/revoke',
    tag: 'Portal',
  },
  rotatePortalKey: {
    operationId: 'rotatePortalKey',
    method: 'post',
    path: '/portal/keys/{key}/rotate',
    tag: 'Portal',
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
  getUsage: {
    operationId: 'getUsage',
    method: 'get',
    path: '/usage',
    tag: 'Usage',
  },
} as const satisfies OperationTable;

export type OperationId = keyof typeof operations;
