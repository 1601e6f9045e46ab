import { type Column, CommandFailure, exitCodes, formatTable } from '@rostergate/config/command';
import { didYouMean } from '@rostergate/server/problem';
import { Command } from 'commander';
import type { AccountStore, AccountSummary } from '../accounts/account-store.ts';
import { hashPassword } from '../accounts/password.ts';
import { addDatabaseOptions, type CommandContext, pickDatabase, withDatabase } from './database-command.ts';
import { addPasswordOptions, type PasswordOptions, readNewPassword, showGenerated } from './new-password.ts';

export function createAccountsCommand(context: CommandContext): Command {
  return new Command('accounts')
    .description(
      'Adds, lists, disables and enables accounts, and sets passwords. A running server applies every change: to logins at once, to tokens within five seconds.',
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

interface AddOptions extends PasswordOptions {
  readonly company: string;
  readonly admin?: true;
  readonly json?: true;
}

function createAccountsAddCommand(context: CommandContext): Command {
  const { terminal } = context;
  const command = new Command('add')
    .summary('Add an account')
    .description(
      'Adds an account, with which a service logs in. A missing company is created. The password is entered at the terminal, read from stdin, or generated; only its scrypt hash is stored.',
    )
    .argument('<email>', 'e-mail address of the account; letter case does not matter')
    .requiredOption('--company <key>', 'the company that the account belongs to')
    .option('--admin', 'the account may write, and sees tags, skills and profiles');
  addPasswordOptions(command).option('--json', 'print the account as JSON');
  return addDatabaseOptions(command)
    .addHelpText(
      'after',
      '\nExamples:\n  rostergate-scheduling accounts add ops@example.org --company my-company --admin' +
        '\n  rostergate-scheduling accounts add ops@example.org --company my-company --generate > password.txt',
    )
    .action(async (given: string, { company, admin: isGranted, json, ...options }: AddOptions) => {
      const admin = isGranted === true;
      const email = parseEmail(given);
      if (company.trim() === '') throw new CommandFailure('--company needs a key that is not empty.', exitCodes.usage);
      const { password, isGenerated } = await readNewPassword(context, options, email);
      const entry = {
        email,
        password: await hashPassword(password, context.passwordCost),
        companyKey: company,
        isAdmin: admin,
      };
      const use = { ...pickDatabase(options), isMade: true };
      const { isNewCompany, others } = await withDatabase(context, use, async ({ accounts }) => {
        const others = await accounts.listCompanies();
        const added = await accounts.add(entry);
        if (added === undefined) {
          const detail = `The account ${email} already exists. Choose another address, or set its password with: accounts password`;
          throw new CommandFailure(detail, exitCodes.invalid);
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
        terminal.err.write(`${terminal.err.style('yellow', 'Note')}: This company is new.${guess}\n`);
      }
      if (isGenerated) showGenerated(terminal, password);
    });
}

function createAccountsListCommand(context: CommandContext): Command {
  const { terminal } = context;
  const command = new Command('list')
    .summary('List the accounts')
    .description('Lists the accounts. Piped output is tab-separated, one account per line. Times are UTC.')
    .option('--company <key>', 'only accounts of this company')
    .option('--json', 'print the accounts as JSON');
  return addDatabaseOptions(command).action(async ({ company, json, ...rest }: { company?: string; json?: true }) => {
    const found = await withDatabase(context, pickDatabase(rest), ({ accounts }) => accounts.list(company));
    if (json) terminal.out.write(`${JSON.stringify(found.map(toAccountJson), null, 2)}\n`);
    else if (found.length === 0) terminal.err.write('There are no accounts. Add one with: accounts add\n');
    else terminal.out.write(formatTable(columns, found.map(toRow), terminal.out));
  });
}

const columns: readonly Column[] = [
  { title: 'EMAIL', isWhole: true },
  { title: 'COMPANY' },
  { title: 'ACCESS' },
  { title: 'STATE', style: (state) => (state === 'disabled' ? 'red' : 'green') },
  { title: 'LAST LOGIN' },
];

function toRow({ email, companyKey, isAdmin, isDisabled, lastLogin }: AccountSummary): string[] {
  const last = lastLogin === null ? '–' : lastLogin.slice(0, 16).replace('T', ' ');
  return [email, companyKey, isAdmin ? 'write' : 'read', isDisabled ? 'disabled' : 'active', last];
}

function createAccountsDisableCommand(context: CommandContext): Command {
  return createSwitch(context, {
    command: new Command('disable')
      .summary('Disable an account and revoke its tokens')
      .description(
        'Disables an account: it can no longer log in, and its tokens are revoked. A running server rejects them within five seconds.',
      ),
    isDisabled: true,
    message: (email) =>
      `Disabled ${email} and revoked its tokens. A running server rejects them within five seconds.\n`,
  });
}

function createAccountsEnableCommand(context: CommandContext): Command {
  return createSwitch(context, {
    command: new Command('enable')
      .summary('Enable an account again')
      .description('Enables a disabled account. Its old tokens stay revoked.'),
    isDisabled: false,
    message: (email) => `Enabled ${email}.\n`,
  });
}

interface Switch {
  readonly command: Command;
  readonly isDisabled: boolean;
  readonly message: (email: string) => string;
}

function createSwitch(context: CommandContext, { command, isDisabled, message }: Switch): Command {
  command.argument('<email>', 'e-mail address of the account').option('--json', 'print the account as JSON');
  return addDatabaseOptions(command).action(async (given: string, { json, ...rest }: { json?: true }) => {
    const email = parseEmail(given);
    const account = await withDatabase(context, pickDatabase(rest), async ({ accounts }) =>
      requireAccount(accounts, email, await accounts.setDisabled(email, isDisabled)),
    );
    context.terminal.out.write(json ? `${JSON.stringify(toAccountJson(account), null, 2)}\n` : message(email));
  });
}

function createAccountsPasswordCommand(context: CommandContext): Command {
  const { terminal } = context;
  const command = new Command('password')
    .summary('Set the password of an account')
    .description(
      'Sets the password of an account and revokes its tokens. A running server rejects them within five seconds.',
    )
    .argument('<email>', 'e-mail address of the account');
  addPasswordOptions(command).option('--json', 'print the account as JSON');
  return addDatabaseOptions(command).action(
    async (given: string, { json, ...options }: PasswordOptions & { readonly json?: true }) => {
      const email = parseEmail(given);
      const { password, isGenerated } = await readNewPassword(context, options, email);
      const hash = await hashPassword(password, context.passwordCost);
      const account = await withDatabase(context, pickDatabase(options), async ({ accounts }) =>
        requireAccount(accounts, email, await accounts.setPassword(email, hash)),
      );
      if (json) {
        const shown = { ...toAccountJson(account), ...(isGenerated && { password }) };
        terminal.out.write(`${JSON.stringify(shown, null, 2)}\n`);
        return;
      }
      terminal.err.write(`Set the password of ${email} and revoked its tokens.\n`);
      if (isGenerated) showGenerated(terminal, password);
    },
  );
}

/** Returns the address of an account as stored: in lower case. */
function parseEmail(text: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 320) return text.toLowerCase();
  throw new CommandFailure(
    'This is not an e-mail address. Name the account by its address, such as ops@example.org.',
    exitCodes.usage,
  );
}

/**
 * Returns the changed account.
 * @throws CommandFailure when there is no such account
 */
async function requireAccount(
  accounts: Pick<AccountStore, 'list'>,
  email: string,
  changed: AccountSummary | undefined,
): Promise<AccountSummary> {
  if (changed !== undefined) return changed;
  const known = (await accounts.list()).map((account) => account.email);
  const guess = didYouMean(email, known) || ' List the accounts with: accounts list';
  throw new CommandFailure(`There is no account ${email}.${guess}`, exitCodes.invalid);
}

/** Returns an account as `--json` prints it. */
function toAccountJson({ email, companyKey, isAdmin, isDisabled, lastLogin }: AccountSummary) {
  return { email, company_key: companyKey, admin: isAdmin, disabled: isDisabled, last_login: lastLogin };
}
