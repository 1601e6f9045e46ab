// Written by tools/contract from specs/gateway/gen/openapi.json. Do not edit: run `pnpm generate`.
import type { operations } from '@rostergate/gateway-spec';
import type { Call, CallOptions, Send } from './transport.gen.ts';

/** Arguments of `getLandingPage`. */
export interface GetLandingPageArguments extends CallOptions {
  readonly query?: NonNullable<operations['getLandingPage']['parameters']['query']> | undefined;
}

/** Arguments of `getLandingAsset`. */
export interface GetLandingAssetArguments extends CallOptions {
  readonly path: operations['getLandingAsset']['parameters']['path'];
}

/** Arguments of `getMetrics`. */
export interface GetMetricsArguments extends CallOptions {
  readonly query?: NonNullable<operations['getMetrics']['parameters']['query']> | undefined;
}

/** Arguments of `callMcp`. */
export interface CallMcpArguments extends CallOptions {
  readonly body: NonNullable<operations['callMcp']['requestBody']>['content']['application/json'];
}

/** Arguments of `getUsage`. */
export interface GetUsageArguments extends CallOptions {
  readonly query?: NonNullable<operations['getUsage']['parameters']['query']> | undefined;
}

/** Arguments of `getPortalAsset`. */
export interface GetPortalAssetArguments extends CallOptions {
  readonly path: operations['getPortalAsset']['parameters']['path'];
}

/** Arguments of `completePortalSignIn`. */
export interface CompletePortalSignInArguments extends CallOptions {
  readonly query?: NonNullable<operations['completePortalSignIn']['parameters']['query']> | undefined;
}

/** Arguments of `createPortalKey`. */
export interface CreatePortalKeyArguments extends CallOptions {
  readonly body: NonNullable<operations['createPortalKey']['requestBody']>['content']['application/json'];
}

/** Arguments of `rotatePortalKey`. */
export interface RotatePortalKeyArguments extends CallOptions {
  readonly path: operations['rotatePortalKey']['parameters']['path'];
  readonly body: NonNullable<operations['rotatePortalKey']['requestBody']>['content']['application/json'];
}

/** Arguments of `revokePortalKey`. */
export interface RevokePortalKeyArguments extends CallOptions {
  readonly path: operations['revokePortalKey']['parameters']['path'];
}

/** Arguments of `getDocsAsset`. */
export interface GetDocsAssetArguments extends CallOptions {
  readonly path: operations['getDocsAsset']['parameters']['path'];
}

/** Arguments of `getRedocAsset`. */
export interface GetRedocAssetArguments extends CallOptions {
  readonly path: operations['getRedocAsset']['parameters']['path'];
}

/** Result of `getLandingPage`. */
export type GetLandingPageResult = string;

/** Result of `getLandingAsset`. */
export type GetLandingAssetResult = string;

/** Result of `getAuthStatus`. */
export type GetAuthStatusResult = operations['getAuthStatus']['responses'][200]['content']['application/json'];

/** Result of `validateKey`. */
export type ValidateKeyResult = operations['validateKey']['responses'][200]['content']['application/json'];

/** Result of `listEndpoints`. */
export type ListEndpointsResult = operations['listEndpoints']['responses'][200]['content']['application/json'];

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

/** Result of `callMcp`. */
export type CallMcpResult =
  | operations['callMcp']['responses'][200]['content']['application/json']
  | string;

/** Result of `getMcpMetadata`. */
export type GetMcpMetadataResult = operations['getMcpMetadata']['responses'][200]['content']['application/json'];

/** Result of `getUsage`. */
export type GetUsageResult =
  | operations['getUsage']['responses'][200]['content']['application/json']
  | string;

/** Result of `getPortal`. */
export type GetPortalResult = string;

/** Result of `getPortalAsset`. */
export type GetPortalAssetResult = string;

/** Result of `beginPortalSignIn`. */
export type BeginPortalSignInResult = undefined;

/** Result of `completePortalSignIn`. */
export type CompletePortalSignInResult = undefined;

/** Result of `endPortalSession`. */
export type EndPortalSessionResult = undefined;

/** Result of `createPortalKey`. */
export type CreatePortalKeyResult = string;

/** Result of `rotatePortalKey`. */
export type RotatePortalKeyResult = string;

/** Result of `revokePortalKey`. */
export type RevokePortalKeyResult = undefined;

/** Result of `getOpenapiDocument`. */
export type GetOpenapiDocumentResult = operations['getOpenapiDocument']['responses'][200]['content']['application/json'];

/** Result of `getDocs`. */
export type GetDocsResult = string;

/** Result of `getDocsAsset`. */
export type GetDocsAssetResult = string;

/** Result of `getRedoc`. */
export type GetRedocResult = string;

/** Result of `getRedocAsset`. */
export type GetRedocAssetResult = string;

/** One method per operationId of the contract. Each throws an `ApiProblem` for an error response. */
export interface GatewayOperations {
  /**
   * Open the landing page. `GET /`
   *
   * An HTML page that shows the state of the server, its traffic, the endpoints and how to call them.
   */
  getLandingPage(request?: GetLandingPageArguments): Promise<GetLandingPageResult>;
  /**
   * Load a file that the landing page uses. `GET /assets/{asset}`
   *
   * Style sheet, script or icon of the landing page. Served while the landing page is enabled.
   */
  getLandingAsset(request: GetLandingAssetArguments): Promise<GetLandingAssetResult>;
  /**
   * Check that your key or token is valid. `GET /auth/status`
   *
   * Returns 200 when the key or token is valid, and the 401 of every secured route when it is not.
   */
  getAuthStatus(request?: CallOptions): Promise<GetAuthStatusResult>;
  /**
   * Validate a key or token. `GET /auth/validate`
   *
   * Always returns 200. The body reports whether the key or token that was sent is valid and, if not, why. An invalid one counts against the address that sent it.
   */
  validateKey(request?: CallOptions): Promise<ValidateKeyResult>;
  /**
   * List the configured endpoints. `GET /endpoints`
   *
   * Lists the endpoints that the configuration adds to the built-in routes. Endpoints that are not served are not listed.
   */
  listEndpoints(request?: CallOptions): Promise<ListEndpointsResult>;
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
   * Call tools as an AI agent. `POST /mcp`
   *
   * A message of the Model Context Protocol (Streamable HTTP, revision 2026-07-28; clients of 2025 are served without sessions). `tools/list` returns the tools that the credential may call. `tools/call` runs the whole request of the operation with the same credential, and counts against its limits.
   */
  callMcp(request: CallMcpArguments): Promise<CallMcpResult>;
  /**
   * Get where tokens for /mcp are issued. `GET /.well-known/oauth-protected-resource/mcp`
   *
   * The metadata of `/mcp` as a protected resource (RFC 9728), for clients without a token.
   */
  getMcpMetadata(request?: CallOptions): Promise<GetMcpMetadataResult>;
  /**
   * Get how many requests your keys have made. `GET /usage`
   *
   * Returns the finished requests of the owner of your key or token, by hour or day in UTC. New requests appear after `flush_seconds` of the setting `usage` at the latest. The response is CSV when the Accept header prefers `text/csv`.
   */
  getUsage(request?: GetUsageArguments): Promise<GetUsageResult>;
  /**
   * Open the developer portal. `GET /portal`
   *
   * An HTML page on which developers sign in, manage their own API keys and see their limits and usage. Without a session it offers the sign-in.
   */
  getPortal(request?: CallOptions): Promise<GetPortalResult>;
  /**
   * Load a file that the developer portal uses. `GET /portal/assets/{asset}`
   *
   * A script or style sheet of the developer portal. Any other name returns 404.
   */
  getPortalAsset(request: GetPortalAssetArguments): Promise<GetPortalAssetResult>;
  /**
   * Sign in to the developer portal. `GET /portal/sign-in`
   *
   * Redirects to the issuer of the setting `portal`, with the authorization code flow and PKCE (RFC 7636).
   */
  beginPortalSignIn(request?: CallOptions): Promise<BeginPortalSignInResult>;
  /**
   * Complete the sign-in to the developer portal. `GET /portal/callback`
   *
   * The issuer redirects here. The response is checked against the cookie of the browser that began the sign-in.
   */
  completePortalSignIn(request?: CompletePortalSignInArguments): Promise<CompletePortalSignInResult>;
  /**
   * Sign out of the developer portal. `POST /portal/sign-out`
   *
   * Removes the session of this browser. Requests of pages of other origins are rejected.
   */
  endPortalSession(request?: CallOptions): Promise<EndPortalSessionResult>;
  /**
   * Create an API key in the developer portal. `POST /portal/keys`
   *
   * Creates a key of the signed-in developer, with a plan and scopes that the setting `portal` allows. The page shows the key, once.
   */
  createPortalKey(request: CreatePortalKeyArguments): Promise<CreatePortalKeyResult>;
  /**
   * Rotate an API key in the developer portal. `POST /portal/keys/{key}/rotate`
   *
   * Creates a successor of a key of the signed-in developer. The page shows the new key, once. The old key stays valid during the overlap.
   */
  rotatePortalKey(request: RotatePortalKeyArguments): Promise<RotatePortalKeyResult>;
  /**
   * Revoke an API key in the developer portal. `POST /portal/keys/{key}/revoke`
   *
   * Revokes a key of the signed-in developer at once.
   */
  revokePortalKey(request: RevokePortalKeyArguments): Promise<RevokePortalKeyResult>;
  /**
   * Get the OpenAPI document. `GET /openapi.json`
   *
   * Returns the contract of this server as one document without external references. It lists exactly the operations that are served.
   */
  getOpenapiDocument(request?: CallOptions): Promise<GetOpenapiDocumentResult>;
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
export const calls: Readonly<Record<keyof GatewayOperations, Call>> = {
  getLandingPage: ['/', undefined, true, 'text/html'],
  getLandingAsset: ['/assets/{asset}', undefined, true, '*/*'],
  getAuthStatus: ['/auth/status'],
  validateKey: ['/auth/validate', undefined, true],
  listEndpoints: ['/endpoints', undefined, true],
  getHealth: ['/health', undefined, true],
  getLiveness: ['/health/live', undefined, true],
  getReadiness: ['/health/ready', undefined, true],
  getMetrics: ['/metrics', undefined, true, 'application/json, text/plain;q=0.5'],
  callMcp: ['/mcp', 'post', true, 'application/json, text/event-stream;q=0.5'],
  getMcpMetadata: ['/.well-known/oauth-protected-resource/mcp', undefined, true],
  getUsage: ['/usage', undefined, false, 'application/json, text/csv;q=0.5'],
  getPortal: ['/portal', undefined, true, 'text/html'],
  getPortalAsset: ['/portal/assets/{asset}', undefined, true, '*/*'],
  beginPortalSignIn: ['/portal/sign-in', undefined, true, ''],
  completePortalSignIn: ['/portal/callback', undefined, true, ''],
  endPortalSession: ['/portal/sign-out', 'post', true, ''],
  createPortalKey: ['/portal/keys', 'post', true, 'text/html'],
  rotatePortalKey: ['/portal/keys/{key}/rotate', 'post', true, 'text/html'],
  revokePortalKey: ['/portal/keys/{key}/revoke', 'post', true, ''],
  getOpenapiDocument: ['/openapi.json', undefined, true],
  getDocs: ['/docs', undefined, true, 'text/html'],
  getDocsAsset: ['/docs/{asset}', undefined, true, '*/*'],
  getRedoc: ['/redoc', undefined, true, 'text/html'],
  getRedocAsset: ['/redoc/{asset}', undefined, true, '*/*'],
};

/** Returns the methods, which send their calls by `send`. */
export function createGatewayOperations(send: Send): GatewayOperations {
  return {
    getLandingPage: (request) => send(calls.getLandingPage, request),
    getLandingAsset: (request) => send(calls.getLandingAsset, request),
    getAuthStatus: (request) => send(calls.getAuthStatus, request),
    validateKey: (request) => send(calls.validateKey, request),
    listEndpoints: (request) => send(calls.listEndpoints, request),
    getHealth: (request) => send(calls.getHealth, request),
    getLiveness: (request) => send(calls.getLiveness, request),
    getReadiness: (request) => send(calls.getReadiness, request),
    getMetrics: (request) => send(calls.getMetrics, request),
    callMcp: (request) => send(calls.callMcp, request),
    getMcpMetadata: (request) => send(calls.getMcpMetadata, request),
    getUsage: (request) => send(calls.getUsage, request),
    getPortal: (request) => send(calls.getPortal, request),
    getPortalAsset: (request) => send(calls.getPortalAsset, request),
    beginPortalSignIn: (request) => send(calls.beginPortalSignIn, request),
    completePortalSignIn: (request) => send(calls.completePortalSignIn, request),
    endPortalSession: (request) => send(calls.endPortalSession, request),
    createPortalKey: (request) => send(calls.createPortalKey, request),
    rotatePortalKey: (request) => send(calls.rotatePortalKey, request),
    revokePortalKey: (request) => send(calls.revokePortalKey, request),
    getOpenapiDocument: (request) => send(calls.getOpenapiDocument, request),
    getDocs: (request) => send(calls.getDocs, request),
    getDocsAsset: (request) => send(calls.getDocsAsset, request),
    getRedoc: (request) => send(calls.getRedoc, request),
    getRedocAsset: (request) => send(calls.getRedocAsset, request),
  };
}
