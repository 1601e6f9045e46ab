export { documentNameOf } from './document-name.ts';
export { ImportError } from './import-error.ts';
export { type ImportResult, importOpenApi } from './import-openapi.ts';
export type { ImportOptions } from './import-options.ts';
