import type { Endpoint, Service } from '@rostergate/endpoints';
import type { components } from '@rostergate/gateway-spec';
import type { RawReply } from '@rostergate/runtime/contract';
import { createJsonBytesSteps, runInSlices, type Steps } from '@rostergate/runtime/steps';

type Schemas = components['schemas'];

/** Answers with the list of what is served. It is written when first asked for, in slices, and kept. */
export function createEndpointLister(
  endpoints: readonly Endpoint[],
  services: readonly Service[],
): () => Promise<RawReply> {
  let written: Promise<RawReply> | undefined;
  const write = async (): Promise<RawReply> => ({
    status: 200,
    raw: await runInSlices(createEndpointListSteps(endpoints, services)),
    contentType: 'application/json',
  });
  return () => {
    written ??= write();
    return written;
  };
}

function* createEndpointListSteps(endpoints: readonly Endpoint[], services: readonly Service[]): Steps<Buffer> {
  const listed: Schemas['Endpoint'][] = [];
  for (const endpoint of endpoints) {
    yield;
    listed.push(toListed(endpoint));
  }
  const list: Schemas['EndpointList'] = {
    endpoints: listed,
    services: services.map((service) => service.name).sort(),
    total: listed.length,
  };
  return yield* createJsonBytesSteps(list);
}

function toListed({ path, method, service, requiresAuth, description, tags, summary, ...more }: Endpoint) {
  return {
    path,
    method: method.toUpperCase() as 'GET',
    service: service.name,
    enabled: true as const,
    requires_auth: requiresAuth,
    scopes: [...more.scopes],
    rate_limit_per_minute: more.rateLimitPerMinute ?? null,
    description,
    tags: [...tags],
    summary,
  };
}
