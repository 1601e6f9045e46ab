import { coolDownMs } from './issuer-keys.ts';
import type { KeySource, LoadedKeys, LoadKeys } from './load-keys.ts';

export interface SharedKeyLoaderOptions {
  readonly load: LoadKeys;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/** Sources of former configurations are dropped beyond this number. */
const sourcesMax = 64;
/** A failure is repeated to other processes for this time. */
const failureMs = 1_000;

interface Shared {
  readonly promise: Promise<LoadedKeys>;
  untilMs: number;
  loadedMs: number;
}

/**
 * Returns a loader for several processes: it coalesces their fetches, and fetches from each source at most once per
 * cool-down.
 */
export function createSharedKeyLoader({ load, clock }: SharedKeyLoaderOptions): LoadKeys {
  const sources = new Map<string, Shared>();

  function fetchOnce(source: KeySource): Shared {
    const shared: Shared = { promise: load(source), untilMs: Infinity, loadedMs: -Infinity };
    shared.promise.then(
      ({ ageMs }) => {
        shared.loadedMs = clock() - ageMs;
        shared.untilMs = shared.loadedMs + coolDownMs;
      },
      () => {
        shared.untilMs = clock() + failureMs;
      },
    );
    return shared;
  }

  return async (source) => {
    const key = JSON.stringify(source);
    let shared = sources.get(key);
    if (shared === undefined || clock() >= shared.untilMs) {
      shared = fetchOnce(source);
      sources.delete(key);
      sources.set(key, shared);
      if (sources.size > sourcesMax) sources.delete(sources.keys().next().value as string);
    }
    const { keys } = await shared.promise;
    return { keys, ageMs: clock() - shared.loadedMs };
  };
}
