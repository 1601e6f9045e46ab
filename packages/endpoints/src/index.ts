export { z } from 'zod';
export {
  type ConfigurationFault,
  type ConfigurationSchema,
  type ConfigurationSchemaName,
  createConfigurationSchema,
  type EndpointDefinition,
  type EndpointsFile,
  type JwtIssuer,
  type KeysFile,
  type Mcp,
  type Portal,
  type Settings,
  type UsageSettings,
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
export { defineRawService } from './define-raw-service.ts';
export { DefinitionError, defineService, isService, type ServiceInput } from './define-service.ts';
export type {
  Argument,
  Caller,
  Endpoint,
  EndpointMethod,
  RawHandler,
  RawRequest,
  RawServiceDefinition,
  Service,
  ServiceContext,
  UpstreamAuth,
  UpstreamSettingFault,
  UpstreamSettings,
  UpstreamTls,
  WebSocketSettings,
} from './endpoint.ts';
export { takesFields } from './endpoint.ts';
export { issuerSchemeOf, securityOf } from './endpoint-auth.ts';
export { type Environment, fillTemplate, isHeaderValue, upstreamPartsOf } from './endpoint-upstream.ts';
export {
  endpointsToOpenApi,
  endpointsToOpenApiSteps,
  type OpenApiFragment,
  type OperationFragment,
} from './endpoints-to-openapi.ts';
export type { SchemaObject } from './json-pointer.ts';
export { type ParsedEndpoints, type ParseOptions, parseEndpoints, parseEndpointsSteps } from './parse-endpoints.ts';
export { definePolicy, isPolicy } from './policies/define-policy.ts';
export { faultOfRequestHeader, fillHeader, type PlaceholderValues } from './policies/header-rules.ts';
export type {
  AddressesPolicy,
  CodePolicy,
  CompiledHeaderRules,
  CorsPolicy,
  ExpressMiddleware,
  ExpressPolicy,
  HeadersPolicy,
  Policy,
  PolicyContext,
  PolicyModules,
} from './policies/policy.ts';
export { type CheckedReply, createReplyReader, type ReplyStream } from './reply-reader.ts';
export { createServiceProblems, type ProblemDefinition, type ServiceProblems } from './service-problems.ts';
export type { ResponseDefinition, ServerSentEvent } from './service-responses.ts';
export {
  createInputReader,
  type EndpointInput,
  type EndpointRequest,
  type InputFault,
  type ResponseCheck,
  responseCheckOf,
} from './service-validation.ts';
