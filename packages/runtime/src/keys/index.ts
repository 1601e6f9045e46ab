export { createKeyAuthenticator, type KeyAuthenticatorOptions, requireUsable } from './key-authenticator.ts';
export { KeyEntriesError, parseKeyEntries, parseKeyFile } from './key-entries.ts';
export { createKeyring, type KeyRecord, type Keyring, keyDigest } from './keyring.ts';
export { type KeyEntry, type KeysFileContent, type ParsedKeysFile, parseKeysFile, toKeyRecord } from './keys-file.ts';
export { createKey, parseKey, type RandomBytes } from './new-key.ts';
export { type KeyScheme, presentedKey } from './presented-key.ts';
