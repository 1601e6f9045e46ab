import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { editKeysFile, type KeysFileStoreOptions, type RawKeysFile, readKeysFileStore } from '../keys/index.ts';
import type { KeyStore } from './key-store.ts';

/** Returns the store of the keys in a file, which the servers of one machine watch. It records no edits. */
export function createFileKeyStore(options: KeysFileStoreOptions): KeyStore {
  let last: { readonly stamp: string; readonly file: RawKeysFile } | undefined;
  /** Checks the whole file again only when it has changed: a server reads it between other requests. */
  const read = (): RawKeysFile => {
    const stamp = stampOf(options.path);
    if (last?.stamp !== stamp) last = { stamp, file: readKeysFileStore(options) };
    return last.file;
  };
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

/** Identifies a state of a file without reading it. */
function stampOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? '' : [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join();
}
