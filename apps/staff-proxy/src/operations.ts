import { type OpenApiDocument, withoutOperations, withSecurity } from '@rostergate/runtime/contract';
import type { operations } from '@rostergate/staff-server';
import type { Settings } from './settings.ts';

type OperationId = keyof typeof operations;

/** A part of the proxy that settings turn on and off. */
interface Switch {
  readonly isOn: (settings: Settings) => boolean;
  readonly operations: readonly OperationId[];
}

/** Docs and ReDoc show the document, so they go with it. */
const switches: readonly Switch[] = [
  { isOn: (s) => s.enable_health, operations: ['getHealth', 'getLiveness', 'getReadiness'] },
  { isOn: (s) => s.enable_metrics, operations: ['getMetrics'] },
  { isOn: (s) => s.enable_landing_page, operations: ['getRosterPage', 'getRosterAsset'] },
  { isOn: (s) => s.enable_openapi, operations: ['getOpenapiDocument'] },
  { isOn: (s) => s.enable_openapi && s.enable_docs, operations: ['getDocs', 'getDocsAsset'] },
  { isOn: (s) => s.enable_openapi && s.enable_redoc, operations: ['getRedoc', 'getRedocAsset'] },
];

/** The contract as a configuration has it served: what is switched off is not in it, and so does not exist. */
export function createServedDocument(document: OpenApiDocument, settings: Settings): OpenApiDocument {
  const off = new Set<string>(switches.flatMap(({ isOn, operations }) => (isOn(settings) ? [] : operations)));
  const served = withoutOperations(document, off);
  return settings.metrics_requires_auth ? withSecurity(served, new Set(['getMetrics']), keySecurity) : served;
}

/** Either way of sending a key. */
const keySecurity = [{ proxyKeyHeader: [] }, { proxyBearer: [] }];
