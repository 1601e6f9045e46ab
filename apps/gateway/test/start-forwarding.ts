import type { Environment } from '@rostergate/endpoints';
import type { UpstreamRegistry } from '@rostergate/upstream';
import { createHttpService } from '../src/services/http.ts';
import { echoService } from '../src/services/index.ts';
import { type StartedGateway, type StartOptions, startGateway } from './start-gateway.ts';
import { startUpstreams } from './start-upstreams.ts';

export interface StartForwardingOptions extends StartOptions {
  readonly env?: Environment;
  readonly trustedProxies?: readonly string[];
  readonly upstreams?: UpstreamRegistry;
}

/** Starts a gateway whose service `http` forwards requests. */
export async function startForwarding(
  options: StartForwardingOptions,
): Promise<StartedGateway & { readonly upstreams: UpstreamRegistry }> {
  const { env = {}, trustedProxies = [], upstreams = startUpstreams() } = options;
  const services = [createHttpService({ env, upstreams, trustedProxies }), echoService, ...(options.services ?? [])];
  const gateway = await startGateway({ ...options, services, upstreams });
  return { ...gateway, upstreams, configure: (next) => gateway.configure({ ...next, services }) };
}
