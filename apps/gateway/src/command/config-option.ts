import { Option } from 'commander';

/** `--config`, the same for every command that reads the configuration. */
export function configOption(): Option {
  return new Option(
    '-c, --config <path>',
    'settings.json, or the folder it is in (default: ROSTERGATE_SETTINGS_FILE, else this folder, else ./config)',
  );
}
