// Written by tools/contract from specs/gateway/gen/openapi.json. Do not edit: run `pnpm generate`.
import type { Handler, Principal } from '@rostergate/runtime/contract';
import type { operations } from '@rostergate/gateway-spec';

/** What a server of the contract implements: one handler for each operation, in the contract's types. */
export interface GatewayHandlers<P extends Principal = Principal> {
  /** Check that your key opens secured routes. `GET /auth/status` */
  readonly getAuthStatus: Handler<operations['getAuthStatus'], P>;
  /** Get the verdict on a key. `GET /auth/validate` */
  readonly validateKey: Handler<operations['validateKey'], P>;
  /** Open the documentation in Swagger UI. `GET /docs` */
  readonly getDocs: Handler<operations['getDocs'], P>;
  /** Load a file that the Swagger UI page uses. `GET /docs/{asset}` */
  readonly getDocsAsset: Handler<operations['getDocsAsset'], P>;
  /** Get a part of the landing page. `GET /assets/{asset}` */
  readonly getLandingAsset: Handler<operations['getLandingAsset'], P>;
  /** See what is served here. `GET /` */
  readonly getLandingPage: Handler<operations['getLandingPage'], P>;
  /** Read the OpenAPI document of this server. `GET /openapi.json` */
  readonly getOpenapiDocument: Handler<operations['getOpenapiDocument'], P>;
  /** Open the documentation in ReDoc. `GET /redoc` */
  readonly getRedoc: Handler<operations['getRedoc'], P>;
  /** Load a file that the ReDoc page uses. `GET /redoc/{asset}` */
  readonly getRedocAsset: Handler<operations['getRedocAsset'], P>;
  /** List the configured endpoints. `GET /endpoints` */
  readonly listEndpoints: Handler<operations['listEndpoints'], P>;
  /** Tell that the server answers. `GET /health` */
  readonly getHealth: Handler<operations['getHealth'], P>;
  /** Tell that the process is alive. `GET /health/live` */
  readonly getLiveness: Handler<operations['getLiveness'], P>;
  /** Read counts and times of requests. `GET /metrics` */
  readonly getMetrics: Handler<operations['getMetrics'], P>;
  /** Tell whether the server can do its work. `GET /health/ready` */
  readonly getReadiness: Handler<operations['getReadiness'], P>;
}
