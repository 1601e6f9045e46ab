export { mintKey, showKey } from './key-editing.ts';
export { type KeyGrants, parseNames, planColumn, planOption, quoteShort } from './key-options.ts';
export { createKeysCommand } from './keys-command.ts';
