import { Command, type Option } from 'commander';
import type { Terminal } from '../command/index.ts';
import type { KeysFileStoreOptions, RandomBytes } from '../keys/index.ts';
import type { KeyGrants } from './key-grants.ts';
import { createKeysCreateCommand } from './keys-create-command.ts';
import { createKeysListCommand } from './keys-list-command.ts';
import { createKeysRevokeCommand } from './keys-revoke-command.ts';
import { createKeysRotateCommand } from './keys-rotate-command.ts';

/** What the commands are given of the world, and what the keys of one server are like. */
export interface KeysCommandOptions {
  readonly terminal: Terminal;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly random: RandomBytes;
  /** The program, as people type it. */
  readonly program: string;
  /** What its server is called in help, such as `gateway`. */
  readonly server: string;
  /** What the file is called in help, such as `keys.json`. */
  readonly file: string;
  /** Options of every command by which the file is found; made anew for each. */
  readonly fileOptions: () => readonly Option[];
  /** The file that a server with these options reads, held to what it would take. */
  readonly storeOf: (given: Readonly<Record<string, unknown>>) => KeysFileStoreOptions;
  /** Whether the file may hold these fields, such as a name or an owner. */
  readonly accepts: (fields: Readonly<Record<string, unknown>>) => boolean;
  /** What new keys begin with. */
  readonly keyPrefix: string;
  readonly grants: KeyGrants;
}

/** `… keys`: creates, lists, revokes and rotates the keys of a file. */
export function createKeysCommand(options: KeysCommandOptions): Command {
  const { server, file } = options;
  return new Command('keys')
    .description(`Creates, lists, revokes and rotates the keys in ${file}. A running ${server} takes up every change.`)
    .usage('<command> [options]')
    .helpCommand('help [command]', 'Show help for a command')
    .commandsGroup('Commands:')
    .addCommand(createKeysCreateCommand(options))
    .addCommand(createKeysListCommand(options))
    .addCommand(createKeysRevokeCommand(options))
    .addCommand(createKeysRotateCommand(options));
}
