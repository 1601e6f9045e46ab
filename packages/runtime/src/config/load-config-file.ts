import { readFile } from 'node:fs/promises';
import { ConfigError } from './config-error.ts';

/**
 * Reads a file that a setting names, and parses it.
 * @throws ConfigError when it cannot be read, or for what `parse` finds in it.
 */
export async function loadConfigFile<T>(
  path: string,
  setting: string,
  parse: (text: string, path: string) => T,
): Promise<T> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError([{ where: path, field: setting, detail: `The file cannot be read (${code}).` }]);
  }
  return parse(text, path);
}
