export { mintKey, showKey } from './key-editing.ts';
export { type KeyGrants, parseNames, quoteShort } from './key-options.ts';
export { createKeysCommand } from './keys-command.ts';
