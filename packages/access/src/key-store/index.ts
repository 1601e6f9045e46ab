export { createFileKeyStore } from './file-key-store.ts';
export { createFollowKeys, type FollowKeys } from './follow-keys.ts';
export { createKeyAdministration, type KeyAdministration, type KeyChange } from './key-administration.ts';
export {
  type AuditEntry,
  type KeyCursor,
  type KeyEdit,
  type KeyKind,
  type KeyPage,
  type KeyReader,
  type KeyStore,
  KeyStoreError,
  type KeyStoreHead,
} from './key-store.ts';
export { type KeyStoreSettings, openKeyStore } from './open-key-store.ts';
export { createSharedKeyReader } from './shared-key-reader.ts';
export type { StoredKeys } from './stored-keys.ts';
