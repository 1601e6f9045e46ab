// Written by tools/contract from specs/gateway/gen/openapi.json. Do not edit: run `pnpm generate`.
import type { Handler, Principal } from '@rostergate/server';
import type { operations } from '@rostergate/gateway-spec';

/** The handlers that a server of the contract implements, one per operation. */
export interface GatewayHandlers<P extends Principal = Principal> {
  /** Check that your key is valid. `GET /auth/status` */
  readonly getAuthStatus: Handler<operations['getAuthStatus'], P>;
  /** Validate a key. `GET /auth/validate` */
  readonly validateKey: Handler<operations['validateKey'], P>;
  /** Open the documentation in Swagger UI. `GET /docs` */
  readonly getDocs: Handler<operations['getDocs'], P>;
  /** Load a file that the Swagger UI page uses. `GET /docs/{asset}` */
  readonly getDocsAsset: Handler<operations['getDocsAsset'], P>;
  /** Load a file that the landing page uses. `GET /assets/{asset}` */
  readonly getLandingAsset: Handler<operations['getLandingAsset'], P>;
  /** Open the landing page. `GET /` */
  readonly getLandingPage: Handler<operations['getLandingPage'], P>;
  /** Get the OpenAPI document. `GET /openapi.json` */
  readonly getOpenapiDocument: Handler<operations['getOpenapiDocument'], P>;
  /** Open the documentation in ReDoc. `GET /redoc` */
  readonly getRedoc: Handler<operations['getRedoc'], P>;
  /** Load a file that the ReDoc page uses. `GET /redoc/{asset}` */
  readonly getRedocAsset: Handler<operations['getRedocAsset'], P>;
  /** List the configured endpoints. `GET /endpoints` */
  readonly listEndpoints: Handler<operations['listEndpoints'], P>;
  /** Check that the server responds. `GET /health` */
  readonly getHealth: Handler<operations['getHealth'], P>;
  /** Check that the process is alive. `GET /health/live` */
  readonly getLiveness: Handler<operations['getLiveness'], P>;
  /** Get request metrics. `GET /metrics` */
  readonly getMetrics: Handler<operations['getMetrics'], P>;
  /** Check that the server is ready. `GET /health/ready` */
  readonly getReadiness: Handler<operations['getReadiness'], P>;
}
