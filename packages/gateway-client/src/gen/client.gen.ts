// Written by tools/contract from specs/gateway/gen/openapi.json. Do not edit: run `pnpm generate`.
import type { operations } from '@rostergate/gateway-spec';
import type { Call, CallOptions, CallRequest, Send } from './transport.gen.ts';

/** What `getLandingPage` takes. */
export interface GetLandingPageArguments extends CallOptions {
  readonly query?: NonNullable<operations['getLandingPage']['parameters']['query']> | undefined;
}

/** What `getLandingAsset` takes. */
export interface GetLandingAssetArguments extends CallOptions {
  readonly path: operations['getLandingAsset']['parameters']['path'];
}

/** What `getMetrics` takes. */
export interface GetMetricsArguments extends CallOptions {
  readonly query?: NonNullable<operations['getMetrics']['parameters']['query']> | undefined;
}

/** What `getDocsAsset` takes. */
export interface GetDocsAssetArguments extends CallOptions {
  readonly path: operations['getDocsAsset']['parameters']['path'];
}

/** What `getRedocAsset` takes. */
export interface GetRedocAssetArguments extends CallOptions {
  readonly path: operations['getRedocAsset']['parameters']['path'];
}

/** What `getLandingPage` gives. */
export type GetLandingPageResult = string;

/** What `getLandingAsset` gives. */
export type GetLandingAssetResult = string;

/** What `getAuthStatus` gives. */
export type GetAuthStatusResult = operations['getAuthStatus']['responses'][200]['content']['application/json'];

/** What `validateKey` gives. */
export type ValidateKeyResult = operations['validateKey']['responses'][200]['content']['application/json'];

/** What `listEndpoints` gives. */
export type ListEndpointsResult = operations['listEndpoints']['responses'][200]['content']['application/json'];

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

/** What `getDocs` gives. */
export type GetDocsResult = string;

/** What `getDocsAsset` gives. */
export type GetDocsAssetResult = string;

/** What `getRedoc` gives. */
export type GetRedocResult = string;

/** What `getRedocAsset` gives. */
export type GetRedocAssetResult = string;

/** One method for each operation of the contract, by operationId. Each throws an `ApiProblem` for an error answer. */
export interface GatewayOperations {
  /**
   * See what is served here. `GET /`
   *
   * A page for people that shows the state of the server, its traffic, the endpoints and how to call them.
   */
  getLandingPage(request?: GetLandingPageArguments): Promise<GetLandingPageResult>;
  /**
   * Get a part of the landing page. `GET /assets/{asset}`
   *
   * Style sheet, script and icon of the landing page. Served while the landing page is on.
   */
  getLandingAsset(request: GetLandingAssetArguments): Promise<GetLandingAssetResult>;
  /**
   * Check that your key opens secured routes. `GET /auth/status`
   *
   * Answers 200 when the key is valid, and the 401 of every secured route when it is not.
   */
  getAuthStatus(request?: CallOptions): Promise<GetAuthStatusResult>;
  /**
   * Get the verdict on a key. `GET /auth/validate`
   *
   * Always answers 200 and says in the body whether the key that was sent is valid, and if not, why. A wrong key still counts against the address it came from.
   */
  validateKey(request?: CallOptions): Promise<ValidateKeyResult>;
  /**
   * List the configured endpoints. `GET /endpoints`
   *
   * Lists what the configuration adds to the built-in routes. Only what is really served is listed.
   */
  listEndpoints(request?: CallOptions): Promise<ListEndpointsResult>;
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
  getOpenapiDocument: ['/openapi.json', undefined, true],
  getDocs: ['/docs', undefined, true, 'text/html'],
  getDocsAsset: ['/docs/{asset}', undefined, true, '*/*'],
  getRedoc: ['/redoc', undefined, true, 'text/html'],
  getRedocAsset: ['/redoc/{asset}', undefined, true, '*/*'],
};

/** Builds the methods over something that sends calls. */
export function createGatewayOperations(send: Send): GatewayOperations {
  const methods: Record<string, (request?: CallRequest) => Promise<unknown>> = {};
  for (const id in calls) methods[id] = (request) => send(calls[id as keyof typeof calls], request);
  return methods as unknown as GatewayOperations;
}
