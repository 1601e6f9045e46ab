import { setTimeout as wait } from 'node:timers/promises';
import type { Environment } from '@rostergate/endpoints';
import { createUpstreamRegistry, type UpstreamRegistry, type UpstreamRegistryOptions } from '@rostergate/upstream';
import { onTestFinished } from 'vitest';
import { createHttpService } from '../src/services/http.ts';
import { echoService } from '../src/services/index.ts';
import { type StartedGateway, type StartOptions, startGateway } from './start-gateway.ts';

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

/** The upstreams of one test, closed when it ends. */
export function startUpstreams(options: Partial<UpstreamRegistryOptions> = {}): UpstreamRegistry {
  const upstreams = createUpstreamRegistry({
    clock: () => performance.now(),
    random: Math.random,
    wait: (ms, signal) => wait(ms, undefined, signal === undefined ? {} : { signal }),
    ...options,
  });
  onTestFinished(() => upstreams.destroy());
  return upstreams;
}

/** The same with a stopped clock: an open circuit stays open, however busy the machine is. */
export function startTimelessUpstreams(): UpstreamRegistry {
  return startUpstreams({ clock: () => 0 });
}
