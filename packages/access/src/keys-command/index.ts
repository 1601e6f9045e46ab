export { createFileKeyStore } from '../key-store/file-key-store.ts';
export { type KeyAdministration, mintKey } from '../key-store/key-administration.ts';
export type { KeyKind, KeyStore } from '../key-store/key-store.ts';
export { openKeyStore } from '../key-store/open-key-store.ts';
export { showKey } from './key-editing.ts';
export { type KeyGrants, parseNames, planChange, planColumn, planOption, quoteShort } from './key-options.ts';
export { createKeysCommand } from './keys-command.ts';
