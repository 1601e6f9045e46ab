import { relative } from 'node:path';
import { editKeysFile, type KeysFileStoreOptions, readKeysFileStore } from '../keys/index.ts';
import type { KeyStore } from './key-store.ts';

/** Returns the store of the keys in a file, which the servers of one machine watch. It records no edits. */
export function createFileKeyStore(options: KeysFileStoreOptions): KeyStore {
  const read = () => readKeysFileStore(options);
  return {
    place: relative('', options.path),
    list: async () => read(),
    async page({ after, limit, owner }) {
      return read()
        .keys.filter((key) => key.name > after && (owner === undefined || key.owner === owner))
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .slice(0, limit);
    },
    async owners({ after, limit }) {
      const counts = new Map<string, number>();
      for (const { owner } of read().keys) counts.set(String(owner), (counts.get(String(owner)) ?? 0) + 1);
      return [...counts]
        .filter(([owner]) => owner > after)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .slice(0, limit)
        .map(([owner, keys]) => ({ owner, keys }));
    },
    find: async (name) => read().keys.find((key) => key.name === name),
    edit: (_about, edit) => editKeysFile(options, edit),
    audit: async () => undefined,
    close: async () => {},
  };
}
