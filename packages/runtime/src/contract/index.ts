export { createSafePattern, PatternTimeError, type SafePattern, startPatternBudget } from '../pattern/index.ts';
export { CallController, type CallSignal, toAbortSignal } from './call-signal.ts';
export { type ContentType, isJsonType, parseContentType } from './content-type.ts';
export { Context, type Principal } from './context.ts';
export { findCostlySchemas } from './costly-schemas.ts';
export { hasBody } from './early-response.ts';
export { createErrorAnswer, type ErrorAnswer, toProblem } from './failure.ts';
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
export { isPending } from './is-pending.ts';
export {
  type HttpMethod,
  httpMethods,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type PathItem,
  type Reference,
  type RequestBodyObject,
  resolveReference,
  type SecurityRequirement,
} from './openapi.ts';
export type { Operation, OperationTable } from './operation-table.ts';
export type { Authenticate, Limit, Observe } from './pipeline.ts';
export { bytesOfBody, receivedBytesOf } from './request-body.ts';
export { createRequestIds } from './request-id.ts';
export { createDeclaredPaths, type DeclaredPath, type Route } from './route.ts';
export {
  type Contract,
  type ContractRouter,
  createRouter,
  createRouterSteps,
  type RouterOptions,
  type RouterSteps,
  unmatchedRoute,
} from './router.ts';
export { withoutOperations, withSecurity } from './served-document.ts';
export { createServer, renewTls, type ServerOptions } from './server.ts';
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
export { UnreadBody } from './unread-body.ts';
