import type { SendOnce, Upstream } from './upstream.ts';

/** A pool of connections that lives as long as somebody holds it or a request is on its way through it. */
export interface SharedPool {
  readonly send: SendOnce;
  hold(): void;
  /** Closes the pool when nobody else holds it, after its last request. */
  release(): void;
  /** Cuts what is in flight. */
  destroy(): Promise<void>;
}

/**
 * Opens at the first request and, should one come late from somebody who has released it already, once more for that
 * request: a configuration that is on its way out loses nothing.
 */
export function createSharedPool(open: () => Upstream): SharedPool {
  let upstream: Upstream | undefined;
  let holders = 0;
  let requests = 0;

  function closeIfUnused(): void {
    if (holders > 0 || requests > 0 || upstream === undefined) return;
    const unused = upstream;
    upstream = undefined;
    unused.close().catch(() => {});
  }

  return {
    send(request) {
      upstream ??= open();
      // A pool that is closed answers first what is on its way: only who comes later has to be counted.
      if (holders > 0) return upstream.request(request);
      const onSettled = (fault: Error | undefined) => {
        requests--;
        closeIfUnused();
        request.onSettled?.(fault);
      };
      requests++;
      try {
        return upstream.request({ ...request, onSettled });
      } catch (error) {
        requests--;
        throw error;
      }
    },
    hold() {
      holders++;
    },
    release() {
      holders--;
      closeIfUnused();
    },
    async destroy() {
      await upstream?.destroy();
      upstream = undefined;
    },
  };
}

/** Things that are made once for all who want the same, and forgotten when the last has given them back. */
export interface SharedByKey<T> {
  take(key: string): T;
  give(key: string): void;
  values(): IterableIterator<T>;
}

export function createSharedByKey<T>(create: (key: string) => T, forget: (value: T) => void): SharedByKey<T> {
  const entries = new Map<string, { readonly value: T; holders: number }>();
  return {
    take(key) {
      let entry = entries.get(key);
      if (entry === undefined) {
        entry = { value: create(key), holders: 0 };
        entries.set(key, entry);
      }
      entry.holders++;
      return entry.value;
    },
    give(key) {
      const entry = entries.get(key);
      if (entry === undefined || --entry.holders > 0) return;
      entries.delete(key);
      forget(entry.value);
    },
    *values() {
      for (const { value } of entries.values()) yield value;
    },
  };
}
