import { Command } from 'commander';
import { hashPassword } from '../accounts/password.ts';
import { parseEmail, requireAccount, toAccountJson } from './account-options.ts';
import type { CommandContext } from './command-context.ts';
import { addDatabaseOptions, pickDatabase } from './database-options.ts';
import { addPasswordOptions, type PasswordOptions, readNewPassword, showGenerated } from './read-new-password.ts';
import { withDatabase } from './with-database.ts';

/** `rostergate-scheduling accounts password` */
export function createAccountsPasswordCommand(context: CommandContext): Command {
  const { terminal } = context;
  const command = new Command('password')
    .summary('Give an account another password')
    .description('Gives an account another password. Its tokens end, in a running server within five seconds.')
    .argument('<email>', 'address of the account');
  addPasswordOptions(command).option('--json', 'print the account as JSON');
  return addDatabaseOptions(command).action(
    async (given: string, { json, ...options }: PasswordOptions & { readonly json?: true }) => {
      const email = parseEmail(given);
      const { password, isGenerated } = await readNewPassword(context, options, email);
      const hash = await hashPassword(password);
      const account = await withDatabase(context, pickDatabase(options), async ({ accounts }) =>
        requireAccount(accounts, email, await accounts.setPassword(email, hash)),
      );
      if (json) {
        const shown = { ...toAccountJson(account), ...(isGenerated && { password }) };
        terminal.out.write(`${JSON.stringify(shown, null, 2)}\n`);
        return;
      }
      terminal.err.write(`${email} has another password; tokens given before have ended.\n`);
      if (isGenerated) showGenerated(terminal, password);
    },
  );
}
