// Written by tools/contract from specs/staff/openapi.yaml. Do not edit: run `pnpm generate`.
export { default as document } from './openapi.json' with { type: 'json' };
export { default as proxyDocument } from './proxy.openapi.json' with { type: 'json' };
export { default as schedulingDocument } from './scheduling.openapi.json' with { type: 'json' };
export { default as cataloguesFragment } from './catalogues.fragment.json' with { type: 'json' };
export { default as toolsFragment } from './tools.fragment.json' with { type: 'json' };
