import { type KeyReader, KeyStoreError } from './key-store.ts';

/**
 * Returns a reader for which the store is away once it is another one than at first. An emptied store gets a new epoch with
 * its next key: without this, that key would end all others.
 */
export function rejectOtherStore(reader: KeyReader): KeyReader {
  let epoch: string | undefined;
  return {
    async head() {
      const head = await reader.head();
      epoch ??= head.epoch;
      if (head.epoch !== epoch) throw new KeyStoreError(otherStore);
      return head;
    },
    changesAfter: (cursor) => reader.changesAfter(cursor),
    close: () => reader.close(),
  };
}

const otherStore =
  'The key store was emptied or replaced. Restore its backup, or restart the server to use the keys that are in it now.';
