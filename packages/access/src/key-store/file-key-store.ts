import { relative } from 'node:path';
import { editKeysFile, type KeysFileStoreOptions, readKeysFileStore } from '../keys/index.ts';
import type { KeyStore } from './key-store.ts';

/** Returns the store of the keys in a file, which the servers of one machine watch. It records no edits. */
export function createFileKeyStore(options: KeysFileStoreOptions): KeyStore {
  return {
    place: relative('', options.path),
    list: async () => readKeysFileStore(options),
    edit: (_about, edit) => editKeysFile(options, edit),
    audit: async () => undefined,
    close: async () => {},
  };
}
