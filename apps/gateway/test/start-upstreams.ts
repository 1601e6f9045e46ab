import { setTimeout as wait } from 'node:timers/promises';
import { createUpstreamRegistry, type UpstreamRegistry, type UpstreamRegistryOptions } from '@rostergate/upstream';
import { onTestFinished } from 'vitest';

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
