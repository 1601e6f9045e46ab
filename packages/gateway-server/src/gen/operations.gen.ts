// Written by tools/contract from specs/gateway/gen/openapi.json. Do not edit: run `pnpm generate`.
import type { OperationTable } from '@rostergate/server';

/** All operations of the contract, by operationId. */
export const operations = {
  getAuthStatus: {
    operationId: 'getAuthStatus',
    method: 'get',
    path: '/auth/status',
    tag: 'Authentication',
  },
  validateKey: {
    operationId: 'validateKey',
    method: 'get',
    path: '/auth/validate',
    tag: 'Authentication',
  },
  getDocs: {
    operationId: 'getDocs',
    method: 'get',
    path: '/docs',
    tag: 'Documentation',
  },
  getDocsAsset: {
    operationId: 'getDocsAsset',
    method: 'get',
    path: '/docs/{asset}',
    tag: 'Documentation',
  },
  getLandingAsset: {
    operationId: 'getLandingAsset',
    method: 'get',
    path: '/assets/{asset}',
    tag: 'Documentation',
  },
  getLandingPage: {
    operationId: 'getLandingPage',
    method: 'get',
    path: '/',
    tag: 'Documentation',
  },
  getOpenapiDocument: {
    operationId: 'getOpenapiDocument',
    method: 'get',
    path: '/openapi.json',
    tag: 'Documentation',
  },
  getRedoc: {
    operationId: 'getRedoc',
    method: 'get',
    path: '/redoc',
    tag: 'Documentation',
  },
  getRedocAsset: {
    operationId: 'getRedocAsset',
    method: 'get',
    path: '/redoc/{asset}',
    tag: 'Documentation',
  },
  listEndpoints: {
    operationId: 'listEndpoints',
    method: 'get',
    path: '/endpoints',
    tag: 'Endpoints',
  },
  getHealth: {
    operationId: 'getHealth',
    method: 'get',
    path: '/health',
    tag: 'System',
  },
  getLiveness: {
    operationId: 'getLiveness',
    method: 'get',
    path: '/health/live',
    tag: 'System',
  },
  getMetrics: {
    operationId: 'getMetrics',
    method: 'get',
    path: '/metrics',
    tag: 'System',
  },
  getReadiness: {
    operationId: 'getReadiness',
    method: 'get',
    path: '/health/ready',
    tag: 'System',
  },
} as const satisfies OperationTable;

export type OperationId = keyof typeof operations;
