// Written by tools/contract from specs/admin/openapi.yaml. Do not edit: run `pnpm generate`.
export { default as document } from './openapi.json' with { type: 'json' };
