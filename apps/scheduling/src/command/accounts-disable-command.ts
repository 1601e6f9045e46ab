import { Command } from 'commander';
import { parseEmail, requireAccount, toAccountJson } from './account-options.ts';
import type { CommandContext } from './command-context.ts';
import { addDatabaseOptions, pickDatabase } from './database-options.ts';
import { withDatabase } from './with-database.ts';

/** `rostergate-scheduling accounts disable` */
export function createAccountsDisableCommand(context: CommandContext): Command {
  return createSwitch(context, {
    command: new Command('disable')
      .summary('Disable an account, and end its tokens')
      .description(
        'Disables an account: it cannot log in any more, and its tokens end, in a running server within five seconds.',
      ),
    isDisabled: true,
    told: (email) => `Disabled ${email}; its tokens have ended (in a running server within five seconds).\n`,
  });
}

/** `rostergate-scheduling accounts enable` */
export function createAccountsEnableCommand(context: CommandContext): Command {
  return createSwitch(context, {
    command: new Command('enable')
      .summary('Enable an account again')
      .description('Enables an account that was disabled. It has to log in anew.'),
    isDisabled: false,
    told: (email) => `Enabled ${email}.\n`,
  });
}

interface Switch {
  readonly command: Command;
  readonly isDisabled: boolean;
  readonly told: (email: string) => string;
}

function createSwitch(context: CommandContext, { command, isDisabled, told }: Switch): Command {
  command.argument('<email>', 'address of the account').option('--json', 'print the account as JSON');
  return addDatabaseOptions(command).action(async (given: string, { json, ...rest }: { json?: true }) => {
    const email = parseEmail(given);
    const account = await withDatabase(context, pickDatabase(rest), async ({ accounts }) =>
      requireAccount(accounts, email, await accounts.setDisabled(email, isDisabled)),
    );
    context.terminal.out.write(json ? `${JSON.stringify(toAccountJson(account), null, 2)}\n` : told(email));
  });
}
