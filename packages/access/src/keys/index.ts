export { createKeyAuthenticator, type Presenting, presentedKey, requireUsable } from './key-authenticator.ts';
export {
  addKey,
  editKeysFile,
  KeyEditError,
  type KeysFileStoreOptions,
  keyStateAt,
  type RawKeyEntry,
  type RawKeysFile,
  readKeysFileStore,
  revokeKey,
  rotateKey,
  setPlan,
  setScopes,
  successorName,
} from './key-edits.ts';
export { KeyEntriesError, parseKeyEntries, parseKeyFile } from './key-entries.ts';
export { checkKeyStoreSettings } from './key-store-url.ts';
export { createKeyring, digestOn, type KeyRecord, keyDigest, type SharedKeys } from './keyring.ts';
export {
  type KeyEntry,
  type ParsedKeysFile,
  parseKeysFile,
  planFaults,
  repeatedKeys,
  toKeyRecord,
  withOwnerPlans,
} from './keys-file.ts';
export { createKey, parseKey, type RandomBytes } from './new-key.ts';
