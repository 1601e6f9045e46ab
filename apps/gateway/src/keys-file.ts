import { createConfigurationSchema, type KeysFile } from '@rostergate/endpoints/configuration';
import { type ParsedKeysFile, parseKeysFile } from '@rostergate/runtime/keys';

/** keys.json as the contract has it. */
export const keysFileSchema = createConfigurationSchema<KeysFile>('KeysFile');

/**
 * Reads the text of keys.json.
 * @throws ConfigError with every fault and its place.
 */
export function readKeysFile(text: string, path: string): ParsedKeysFile {
  return parseKeysFile(text, path, keysFileSchema);
}
