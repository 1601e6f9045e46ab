import { createSettingsFileOption } from '@rostergate/runtime/command';
import type { Option } from 'commander';
import { defaultSettingsFile } from '../configuration/settings-file.ts';

/** `--settings`, the same for every command. */
export const settingsOption = (): Option => createSettingsFileOption(defaultSettingsFile);
