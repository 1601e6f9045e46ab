export { admitHandshake, findHandshakeFault, type WebSocketPolicy } from '../live/check-handshake.ts';
export { LiveConnections } from '../live/live-connections.ts';
export { createSafePattern, PatternTimeError, startPatternBudget } from '../pattern/safe-pattern.ts';
export { UnreadBody } from './body-bytes.ts';
export { credentialsOf, withoutCredentials } from './caller-credentials.ts';
export {
  CallController,
  type CallSignal,
  Context,
  type HeaderChanges,
  type Principal,
  toAbortSignal,
} from './context.ts';
export { findCostlySchemas } from './costly-schemas.ts';
export {
  type EndpointPath,
  markRest,
  openApiPathOf,
  operationIdOf,
  parseEndpointPath,
  pathsOverlap,
} from './endpoint-path.ts';
export { toFiniteJson } from './finite-json.ts';
export { type Authenticate, isPending, type Limit } from './guard.ts';
export type {
  AnyHandler,
  Handler,
  Handlers,
  JsonReply,
  RawReply,
  Reply,
  ReplyHeaders,
  ReplyOf,
  RequestOf,
} from './handler.ts';
export { callerHeadersOf, createLocalSender, type LocalRequest, type SendLocally } from './local-sender.ts';
export type { LocalResponse } from './local-socket.ts';
export { parseJsonNumber } from './number-texts.ts';
export {
  type HttpMethod,
  httpMethods,
  mergeDocuments,
  mergeDocumentsSteps,
  type OpenApiDocument,
  type Operation,
  type OperationObject,
  type OperationTable,
  type ParameterObject,
  type PathItem,
  type RequestBodyObject,
  resolveReference,
  withMembers,
  withoutOperations,
  withSecurity,
} from './openapi.ts';
export type { Observe } from './pipeline.ts';
export type { RoutePolicies } from './policy-steps.ts';
export type { FormedProblem, FormProblem } from './reply-writer.ts';
export { receivedBytesOf } from './request-body.ts';
export { hasBody } from './request-head.ts';
export { findRestFault } from './rest-path.ts';
export { basePathOf, createDeclaredPaths, createDeclaredPathsSteps, type Route, unmatchedRoute } from './route.ts';
export {
  type Contract,
  type ContractRouter,
  createRouter,
  createRouterSteps,
  type RouterOptions,
  type RouterSteps,
} from './router.ts';
export { createServer, renewTls, type ServedRouter, type ServerOptions } from './server.ts';
export {
  type CallTrace,
  continueTrace,
  type OutgoingCall,
  readTraceParent,
  type StartTrace,
  type Trace,
  type TracedRequest,
  type TraceOutcome,
  traceHeaders,
} from './trace.ts';
