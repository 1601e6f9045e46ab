import { document } from '@rostergate/gateway-spec';
import { proxyDocument, schedulingDocument } from '@rostergate/staff-spec';
import { listPaths, type OpenApiDocument } from './contract-paths.ts';
import type { ServerName } from './server-names.ts';

/** The contract of each server, without configured endpoints. */
export const contracts: Readonly<Record<ServerName, OpenApiDocument>> = {
  gateway: document as OpenApiDocument,
  'staff-proxy': proxyDocument as OpenApiDocument,
  scheduling: schedulingDocument as OpenApiDocument,
};

/** One operation of a contract. */
export interface DeclaredOperation {
  readonly operationId: string;
  readonly method: string;
  /** The path from the root of the server, with parameters in braces. */
  readonly template: string;
  readonly isSecured: boolean;
  /** The declared statuses, including `default`. */
  readonly statuses: readonly string[];
}

/** Returns all operations of a contract, in its order. */
export function operationsOf(document: OpenApiDocument): DeclaredOperation[] {
  return listPaths(document).flatMap(({ template, item }) =>
    Object.entries(item).map(([method, { operationId, security = [], responses }]) => {
      const statuses = Object.keys(responses);
      return { operationId, method, template, isSecured: security.length > 0, statuses };
    }),
  );
}
