export {
  createKeyAuthenticator,
  type KeyAuthenticatorOptions,
  type Presenting,
  requireUsable,
} from './key-authenticator.ts';
export { addKey, KeyEditError, type KeyState, keyStateAt, type Rotation, revokeKey, rotateKey } from './key-edits.ts';
export { KeyEntriesError, parseKeyEntries, parseKeyFile } from './key-entries.ts';
export { createKeyring, type KeyRecord, type Keyring, keyDigest } from './keyring.ts';
export {
  type KeyEntry,
  type KeysFileContent,
  type ParsedKeysFile,
  parseKeysFile,
  repeatedKeys,
  toKeyRecord,
} from './keys-file.ts';
export {
  editKeysFile,
  type KeysFileStoreOptions,
  type RawKeyEntry,
  type RawKeysFile,
  readKeysFileStore,
} from './keys-file-store.ts';
export { createKey, parseKey, type RandomBytes } from './new-key.ts';
export { type KeyScheme, presentedKey } from './presented-key.ts';
