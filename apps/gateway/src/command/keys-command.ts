import { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import { createKeysCreateCommand } from './keys-create-command.ts';
import { createKeysListCommand } from './keys-list-command.ts';
import { createKeysRevokeCommand } from './keys-revoke-command.ts';
import { createKeysRotateCommand } from './keys-rotate-command.ts';

/** `rostergate keys …`: the keys in keys.json. A running gateway takes up every change. */
export function createKeysCommand(context: CommandContext): Command {
  return new Command('keys')
    .description('Creates, lists, revokes and rotates the keys in keys.json. A running gateway takes up every change.')
    .usage('<command> [options]')
    .helpCommand('help [command]', 'Show help for a command')
    .commandsGroup('Commands:')
    .addCommand(createKeysCreateCommand(context))
    .addCommand(createKeysListCommand(context))
    .addCommand(createKeysRevokeCommand(context))
    .addCommand(createKeysRotateCommand(context));
}
