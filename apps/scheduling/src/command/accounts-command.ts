import { Command } from 'commander';
import { createAccountsAddCommand } from './accounts-add-command.ts';
import { createAccountsDisableCommand, createAccountsEnableCommand } from './accounts-disable-command.ts';
import { createAccountsListCommand } from './accounts-list-command.ts';
import { createAccountsPasswordCommand } from './accounts-password-command.ts';
import type { CommandContext } from './command-context.ts';

/** `rostergate-scheduling accounts …`: who may log in. A running server goes by every change at once. */
export function createAccountsCommand(context: CommandContext): Command {
  return new Command('accounts')
    .description(
      'Adds, lists, disables and enables accounts, and sets passwords. A running server goes by every change: logins at once, tokens within five seconds.',
    )
    .usage('<command> [options]')
    .helpCommand('help [command]', 'Show help for a command')
    .commandsGroup('Commands:')
    .addCommand(createAccountsAddCommand(context))
    .addCommand(createAccountsListCommand(context))
    .addCommand(createAccountsDisableCommand(context))
    .addCommand(createAccountsEnableCommand(context))
    .addCommand(createAccountsPasswordCommand(context));
}
