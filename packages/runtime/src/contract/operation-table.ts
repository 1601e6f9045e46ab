import type { HttpMethod } from './openapi.ts';

/** One row of the generated operation table: what the contract calls an operation, and where it stands. */
export interface Operation {
  readonly operationId: string;
  readonly method: HttpMethod;
  /** The template as written in the contract, without the server's base path. */
  readonly path: string;
  readonly tag: string;
  readonly requiredScopes?: readonly string[];
}

export type OperationTable = Readonly<Record<string, Operation>>;
