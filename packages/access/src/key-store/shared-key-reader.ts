import type { KeyCursor, KeyPage, KeyReader, KeyStoreHead } from './key-store.ts';
import { rejectOtherStore } from './reject-other-store.ts';

export interface SharedKeyReaderOptions {
  readonly reader: KeyReader;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/** How old a head may be that several processes get. */
const headMsMax = 250;

/** Returns a reader for several processes of a machine: the store gets the requests of one. */
export function createSharedKeyReader({ reader: anyStore, clock }: SharedKeyReaderOptions): KeyReader {
  const reader = rejectOtherStore(anyStore);
  let head: { readonly promise: Promise<KeyStoreHead>; readonly askedMs: number } | undefined;
  let page: { readonly of: string; readonly promise: Promise<KeyPage> } | undefined;
  let revision = 0;

  async function readHead(): Promise<KeyStoreHead> {
    const found = await reader.head();
    ({ revision } = found);
    return found;
  }

  return {
    async head() {
      const nowMs = clock();
      if (head === undefined || nowMs - head.askedMs > headMsMax) head = { promise: readHead(), askedMs: nowMs };
      const { promise, askedMs } = head;
      const found = await promise;
      return { ...found, ageMs: nowMs - askedMs };
    },
    changesAfter(cursor: KeyCursor) {
      // A page is complete for the revision at which it was read.
      const of = JSON.stringify([revision, cursor]);
      if (page?.of !== of) {
        const promise = reader.changesAfter(cursor);
        page = { of, promise };
        promise.catch(() => {
          page = undefined;
        });
      }
      return page.promise;
    },
    close: () => reader.close(),
  };
}
