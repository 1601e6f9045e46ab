// Written by tools/contract from specs/staff/openapi.yaml. Do not edit: run `pnpm generate`.
export type * from './types.gen.js';

/** A bundled OpenAPI 3.0 document: every reference is `#/components/…`. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly servers?: readonly { readonly url: string; readonly description?: string }[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, PathItemObject>>;
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly [extension: `x-${string}`]: unknown;
}

/** The operations of one path. */
export interface PathItemObject
  extends Partial<Record<'get' | 'put' | 'post' | 'delete' | 'patch' | 'head' | 'options', OperationObject>> {
  readonly summary?: string;
  readonly description?: string;
  readonly servers?: readonly { readonly url: string }[];
  readonly parameters?: readonly (ParameterObject | ReferenceObject)[];
}

/** One operation. */
export interface OperationObject {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly (ParameterObject | ReferenceObject)[];
  readonly requestBody?: RequestBodyObject | ReferenceObject;
  readonly responses?: Readonly<Record<string, unknown>>;
  readonly [extension: `x-${string}`]: unknown;
}

/** One parameter of an operation or of all operations of a path. */
export interface ParameterObject {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly schema?: unknown;
  readonly [more: string]: unknown;
}

/** The request body of an operation, by media type. */
export interface RequestBodyObject {
  readonly required?: boolean;
  readonly content: Readonly<Record<string, { readonly schema?: unknown }>>;
}

/** A reference within the document. */
export interface ReferenceObject {
  readonly $ref: string;
}

/** The contract "Staff Member API" in one document. */
export declare const document: OpenApiDocument;

/** The staff contract as the staff proxy serves it. */
export declare const proxyDocument: OpenApiDocument;

/** The staff contract as the scheduling API serves it. */
export declare const schedulingDocument: OpenApiDocument;

/** The catalogues of a company for administrators. */
export declare const cataloguesFragment: OpenApiDocument;

/** The operations of the staff proxy with the setting mcp. */
export declare const toolsFragment: OpenApiDocument;
