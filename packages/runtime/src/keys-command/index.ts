export { mintKey, showKey, toKeyJson } from './key-editing.ts';
export type { GrantColumn, GrantOption, KeyGrants } from './key-grants.ts';
export { parseNames, quoteShort } from './key-options.ts';
export { createKeysCommand, type KeysCommandOptions } from './keys-command.ts';
