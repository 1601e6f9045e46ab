import { securitySchemeOf } from '@rostergate/access/tokens';
import { mcpAuthOf, metadataUrlOf, withMcpSecurity, withToolNames } from '@rostergate/mcp';
import {
  basePathOf,
  createDeclaredPaths,
  mergeDocuments,
  type OpenApiDocument,
  type Operation,
  withoutOperations,
  withSecurity,
} from '@rostergate/server';
import { operations } from '@rostergate/staff-server';
import { toolsFragment } from '@rostergate/staff-spec';
import type { McpField } from './mcp/mcp-field.ts';
import { toolsOf } from './mcp/staff-tools.ts';
import {
  describePassThrough,
  type PassThroughOperation,
  passThroughOperations,
} from './pass-through/pass-through-operations.ts';
import type { Settings } from './settings.ts';

type OperationId = keyof typeof operations;

/** Returns the operations that need a key: those the proxy forwards. */
export function securedOperations(document: OpenApiDocument): readonly Operation[] {
  const routes = createDeclaredPaths(document).flatMap((path) => path.routes);
  const secured = new Set(routes.flatMap((route) => (route.isPublic ? [] : [route.operationId])));
  return Object.values(operations).filter(({ operationId }) => secured.has(operationId));
}

/** Returns whether an operation takes `companyKey`. */
export function createCompanyKeyTest(document: OpenApiDocument): (operationId: string) => boolean {
  const routes = createDeclaredPaths(document).flatMap((path) => path.routes);
  const takers = routes.filter(({ parameters }) => parameters.some((p) => p.in === 'query' && p.name === 'companyKey'));
  const ids = new Set(takers.map(({ operationId }) => operationId));
  return (operationId) => ids.has(operationId);
}

/** Operations that settings turn on and off. */
interface Switch {
  readonly isOn: (settings: Settings) => boolean;
  readonly operations: readonly OperationId[];
}

/** Swagger UI and ReDoc need the document. */
const switches: readonly Switch[] = [
  { isOn: (s) => s.enable_health, operations: ['getHealth', 'getLiveness', 'getReadiness'] },
  { isOn: (s) => s.enable_metrics, operations: ['getMetrics'] },
  { isOn: (s) => s.enable_landing_page, operations: ['getRosterPage', 'getRosterAsset'] },
  { isOn: (s) => s.enable_openapi, operations: ['getOpenapiDocument'] },
  { isOn: (s) => s.enable_openapi && s.enable_docs, operations: ['getDocs', 'getDocsAsset'] },
  { isOn: (s) => s.enable_openapi && s.enable_redoc, operations: ['getRedoc', 'getRedocAsset'] },
];

/** Returns the contract as a configuration serves it, without the operations that are turned off. */
export function createServedDocument(document: OpenApiDocument, settings: Settings): OpenApiDocument {
  const off = new Set<string>(switches.flatMap(({ isOn, operations }) => (isOn(settings) ? [] : operations)));
  const { mcp } = settings;
  const offered = withoutOperations(mcp === undefined ? document : withTools(document, mcp), off);
  const beyond = passThroughOperations(settings.pass_through);
  const served = beyond.length === 0 ? offered : withPassThrough(offered, beyond);
  const ids = [...(settings.metrics_requires_auth ? ['getMetrics'] : []), ...beyond.map((one) => one.operationId)];
  if (settings.jwt_issuers.length === 0) {
    return ids.length === 0 ? served : withSecurity(served, new Set(ids), keySecurity);
  }
  const schemes = Object.fromEntries(settings.jwt_issuers.map((one) => [`jwt-${one.name}`, securitySchemeOf(one)]));
  const { components } = served;
  return {
    ...withSecurity(served, new Set([...ids, ...securedOperations(served).map(({ operationId }) => operationId)]), [
      ...keySecurity,
      ...Object.keys(schemes).map((name) => ({ [name]: [] })),
    ]),
    components: { ...components, securitySchemes: { ...components?.securitySchemes, ...schemes } },
  };
}

/** Returns the contract with `/mcp`, and with the names of tools at their operations. */
function withTools(document: OpenApiDocument, mcp: McpField): OpenApiDocument {
  const whole = mergeDocuments(document, { components: {}, tags: [], ...toolsFragment });
  const off = new Set(metadataUrlOf(mcp) === undefined ? ['getMcpMetadata'] : []);
  const { acceptsKeys, issuers } = mcpAuthOf(mcp);
  const security = [...(acceptsKeys ? keySecurity : []), ...issuers.map((name) => ({ [`jwt-${name}`]: [] }))];
  return withToolNames(withMcpSecurity(withoutOperations(whole, off), mcp, security), toolsOf(mcp));
}

function withPassThrough(document: OpenApiDocument, operations: readonly PassThroughOperation[]): OpenApiDocument {
  const described = describePassThrough(operations, basePathOf(document.servers));
  return mergeDocuments(document, described);
}

/** Either way of sending a key. */
const keySecurity = [{ proxyKeyHeader: [] }, { proxyBearer: [] }];
