import { type ParsedKeysFile, parseKeysFile } from '@rostergate/access/keys';
import { createConfigurationSchema, type KeysFile } from '@rostergate/endpoints/configuration';

/** The schema of keys.json, from the contract. */
export const keysFileSchema = createConfigurationSchema<KeysFile>('KeysFile');

/**
 * Parses the text of keys.json.
 * @throws ConfigError with every fault and its position.
 */
export function readKeysFile(text: string, path: string): ParsedKeysFile {
  return parseKeysFile(text, path, keysFileSchema);
}
