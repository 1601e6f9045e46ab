import { createInputReader, type Endpoint, type EndpointRequest } from '@rostergate/endpoints';
import type { AnyHandler, Context, Handlers, Reply } from '@rostergate/runtime/contract';
import { createValidationProblem } from '@rostergate/runtime/problem';

/** A handler for each configured endpoint, by operationId. */
export function createEndpointHandlers(endpoints: readonly Endpoint[]): Handlers {
  return Object.fromEntries(endpoints.map((endpoint) => [endpoint.operationId, createEndpointHandler(endpoint)]));
}

function createEndpointHandler(endpoint: Endpoint): AnyHandler {
  const { service } = endpoint;
  const readInput = createInputReader(endpoint);
  return async (request: EndpointRequest, context: Context): Promise<Reply> => {
    const read = readInput(request);
    if ('faults' in read) throw createValidationProblem(read.faults);
    return { status: 200, body: await service.handle(read.input, context) };
  };
}
