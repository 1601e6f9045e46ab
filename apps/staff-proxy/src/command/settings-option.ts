import { Option } from 'commander';
import { defaultSettingsFile } from '../settings-file.ts';

/** `--settings`, the same for every command. */
export function settingsOption(): Option {
  return new Option('--settings <file>', `file of settings (default: ${defaultSettingsFile}, when it is here)`);
}
