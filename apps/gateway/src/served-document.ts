import { type Endpoint, endpointsToOpenApiSteps, mergeDocumentsSteps, type Settings } from '@rostergate/endpoints';
import { document as builtIn } from '@rostergate/gateway-spec';
import { type OpenApiDocument, withoutOperations, withSecurity } from '@rostergate/runtime/contract';
import { runSteps, type Steps } from '@rostergate/runtime/steps';
import { switches } from './switches.ts';

/** The contract of a configuration: exactly what is served, the endpoints in it and what is switched off not. */
export function createServedDocument(settings: Readonly<Settings>, endpoints: readonly Endpoint[]): OpenApiDocument {
  return runSteps(createServedDocumentSteps(settings, endpoints));
}

/** The same, endpoint by endpoint. */
export function* createServedDocumentSteps(
  settings: Readonly<Settings>,
  endpoints: readonly Endpoint[],
): Steps<OpenApiDocument> {
  const off = new Set<string>(switches.flatMap(({ isOn, operations }) => (isOn(settings) ? [] : operations)));
  const served = withoutOperations(builtIn, off);
  const secured = settings.metrics_requires_auth ? withSecurity(served, new Set(['getMetrics']), keySecurity) : served;
  const fragment = yield* endpointsToOpenApiSteps(endpoints);
  return yield* mergeDocumentsSteps<OpenApiDocument>(secured, fragment);
}

/** Either way of sending the one key. */
const keySecurity = [{ apiKeyHeader: [] }, { apiKeyBearer: [] }];
