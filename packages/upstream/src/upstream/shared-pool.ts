import type { SendOnce, Upstream } from './upstream.ts';

/** A pool of connections that stays open while it has holders or requests in flight. */
export interface SharedPool {
  readonly send: SendOnce;
  hold(): void;
  /** Closes the pool after its last request, if it has no other holder. */
  release(): void;
  /** Aborts requests in flight. */
  destroy(): Promise<void>;
}

/**
 * Creates a pool that opens at the first request. It reopens for a request after its release, so that a configuration
 * that is being replaced loses none.
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
      // Closing waits for requests in flight: only those without a holder need counting.
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

/** Values that are created once per key, and disposed of when the last holder releases them. */
export interface SharedByKey<T> {
  acquire(key: string): T;
  release(key: string): void;
  values(): IterableIterator<T>;
}

export function createSharedByKey<T>(create: (key: string) => T, dispose: (value: T) => void): SharedByKey<T> {
  const entries = new Map<string, { readonly value: T; holders: number }>();
  return {
    acquire(key) {
      let entry = entries.get(key);
      if (entry === undefined) {
        entry = { value: create(key), holders: 0 };
        entries.set(key, entry);
      }
      entry.holders++;
      return entry.value;
    },
    release(key) {
      const entry = entries.get(key);
      if (entry === undefined || --entry.holders > 0) return;
      entries.delete(key);
      dispose(entry.value);
    },
    *values() {
      for (const { value } of entries.values()) yield value;
    },
  };
}
