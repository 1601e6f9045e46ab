import { CommandFailure, exitCodes } from '@rostergate/runtime/command';
import { didYouMean } from '@rostergate/runtime/config';
import { Command } from 'commander';
import { hashPassword } from '../accounts/password.ts';
import { parseEmail } from './account-options.ts';
import type { CommandContext } from './command-context.ts';
import { addDatabaseOptions, pickDatabase } from './database-options.ts';
import { addPasswordOptions, type PasswordOptions, readNewPassword, showGenerated } from './read-new-password.ts';
import { withDatabase } from './with-database.ts';

interface Options extends PasswordOptions {
  readonly company: string;
  readonly admin?: true;
  readonly json?: true;
}

/** `rostergate-scheduling accounts add` */
export function createAccountsAddCommand(context: CommandContext): Command {
  const { terminal } = context;
  const command = new Command('add')
    .summary('Add an account')
    .description(
      'Adds an account, by which a service logs in. Its company is made when it is not there. The password is asked for at the terminal, read from stdin, or generated; it is kept as a scrypt hash alone.',
    )
    .argument('<email>', 'what the account logs in with; letter case does not matter')
    .requiredOption('--company <key>', 'the company that the account belongs to')
    .option('--admin', 'the account may write, and sees tags, skills and profiles');
  addPasswordOptions(command).option('--json', 'print the account as JSON');
  return addDatabaseOptions(command)
    .addHelpText(
      'after',
      '\nExamples:\n  rostergate-scheduling accounts add ops@example.org --company my-company --admin' +
        '\n  rostergate-scheduling accounts add ops@example.org --company my-company --generate > password.txt',
    )
    .action(async (given: string, { company, admin: isGranted, json, ...options }: Options) => {
      const admin = isGranted === true;
      const email = parseEmail(given);
      if (company.trim() === '') throw new CommandFailure('--company takes a key that is not empty.', exitCodes.usage);
      const { password, isGenerated } = await readNewPassword(context, options, email);
      const entry = { email, password: await hashPassword(password), companyKey: company, isAdmin: admin };
      const use = { ...pickDatabase(options), isMade: true };
      const { isNewCompany, others } = await withDatabase(context, use, async ({ accounts }) => {
        const others = await accounts.listCompanies();
        const added = await accounts.add(entry);
        if (added === undefined) {
          const detail = `There is an account ${email} already: choose another address, or give it another password with accounts password.`;
          throw new CommandFailure(detail, exitCodes.faulty);
        }
        return { ...added, others };
      });
      if (json) {
        const shown = { email, company_key: company, admin, is_new_company: isNewCompany };
        terminal.out.write(`${JSON.stringify({ ...shown, ...(isGenerated && { password }) }, null, 2)}\n`);
        return;
      }
      terminal.err.write(`Added ${email}${admin ? ', an admin,' : ''} to the company ${company}.\n`);
      if (isNewCompany) {
        const guess = didYouMean(company, others);
        terminal.err.write(`${terminal.err.style('yellow', 'Note')}: The company is new.${guess}\n`);
      }
      if (isGenerated) showGenerated(terminal, password);
    });
}
