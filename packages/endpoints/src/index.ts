export { z } from 'zod';
export {
  type ConfigurationSchema,
  type ConfigurationSchemaName,
  createConfigurationSchema,
  type EndpointDefinition,
  type EndpointsFile,
  type KeysFile,
  type Settings,
} from './configuration-schema.ts';
export { type Caller, defineService, type Service, type ServiceContext, type ServiceInput } from './define-service.ts';
export { didYouMean } from './did-you-mean.ts';
export type { Argument, Endpoint, EndpointMethod } from './endpoint.ts';
export { createInputReader, type EndpointInput, type EndpointRequest, type InputFault } from './endpoint-input.ts';
export {
  endpointsToOpenApi,
  endpointsToOpenApiSteps,
  type OpenApiFragment,
  type OperationFragment,
} from './endpoints-to-openapi.ts';
export type { ConfigurationFault } from './fault.ts';
export { type MergeableDocument, mergeDocuments } from './merge-documents.ts';
export { type ParsedEndpoints, parseEndpoints, parseEndpointsSteps } from './parse-endpoints.ts';
export type { SchemaObject } from './service-schemas.ts';
