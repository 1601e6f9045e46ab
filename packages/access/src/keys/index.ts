export { createKeyAuthenticator, type Presenting, presentedKey, requireUsable } from './key-authenticator.ts';
export { addKey, KeyEditError, keyStateAt, revokeKey, rotateKey } from './key-edits.ts';
export { KeyEntriesError, parseKeyEntries, parseKeyFile } from './key-entries.ts';
export { createKeyring, type KeyRecord, keyDigest } from './keyring.ts';
export {
  editKeysFile,
  type KeyEntry,
  type KeysFileStoreOptions,
  type ParsedKeysFile,
  parseKeysFile,
  type RawKeyEntry,
  type RawKeysFile,
  readKeysFileStore,
  repeatedKeys,
  toKeyRecord,
} from './keys-file.ts';
export { createKey, parseKey, type RandomBytes } from './new-key.ts';
