export { z } from 'zod';
export { type AnswerCheck, answerCheckOf } from './answer-check.ts';
export { DefinitionError } from './check-definition.ts';
export {
  type ConfigurationSchema,
  type ConfigurationSchemaName,
  createConfigurationSchema,
  type EndpointDefinition,
  type EndpointsFile,
  type KeysFile,
  type Settings,
} from './configuration-schema.ts';
export {
  type ContractDocument,
  contractDocumentFrom,
  type FoundOperation,
  operationsOf,
  parseContractDocument,
} from './contract/contract-document.ts';
export type { ContractOperation } from './contract/contract-operation.ts';
export {
  type ContractDocuments,
  type ContractReader,
  contractDocumentsOf,
  createContractReader,
} from './contract/contract-reader.ts';
export {
  defineRawService,
  type RawHandler,
  type RawRequest,
  type RawServiceDefinition,
  type UpstreamSettingFault,
} from './define-raw-service.ts';
export {
  type Caller,
  defineService,
  isService,
  type Service,
  type ServiceContext,
  type ServiceInput,
} from './define-service.ts';
export type { Argument, Endpoint, EndpointMethod, UpstreamSettings } from './endpoint.ts';
export { createInputReader, type EndpointInput, type EndpointRequest, type InputFault } from './endpoint-input.ts';
export { type EndpointPath, parseEndpointPath } from './endpoint-path.ts';
export { isHeaderValue } from './endpoint-upstream.ts';
export {
  endpointsToOpenApi,
  endpointsToOpenApiSteps,
  type OpenApiFragment,
  type OperationFragment,
} from './endpoints-to-openapi.ts';
export { type Environment, fillTemplate } from './environment-template.ts';
export type { ConfigurationFault } from './fault.ts';
export { type MergeableDocument, mergeDocuments, mergeDocumentsSteps } from './merge-documents.ts';
export { type ParsedEndpoints, parseEndpoints, parseEndpointsSteps } from './parse-endpoints.ts';
export type { SchemaObject } from './service-schemas.ts';
