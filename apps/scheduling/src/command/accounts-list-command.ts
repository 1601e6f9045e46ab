import { type Column, formatTable } from '@rostergate/runtime/command';
import { Command } from 'commander';
import type { AccountSummary } from '../accounts/account-store.ts';
import { toAccountJson } from './account-options.ts';
import type { CommandContext } from './command-context.ts';
import { addDatabaseOptions, pickDatabase } from './database-options.ts';
import { withDatabase } from './with-database.ts';

/** `rostergate-scheduling accounts list` */
export function createAccountsListCommand(context: CommandContext): Command {
  const { terminal } = context;
  const command = new Command('list')
    .summary('List the accounts')
    .description('Lists the accounts. Piped, it is a line an account with tabs between the columns; times are UTC.')
    .option('--company <key>', 'only those of this company')
    .option('--json', 'print the accounts as JSON');
  return addDatabaseOptions(command).action(async ({ company, json, ...rest }: { company?: string; json?: true }) => {
    const found = await withDatabase(context, pickDatabase(rest), ({ accounts }) => accounts.list(company));
    if (json) terminal.out.write(`${JSON.stringify(found.map(toAccountJson), null, 2)}\n`);
    else if (found.length === 0) terminal.err.write('There are no accounts here: add one with accounts add.\n');
    else terminal.out.write(formatTable(columns, found.map(toRow), terminal.out));
  });
}

const columns: readonly Column[] = [
  { title: 'EMAIL', isWhole: true },
  { title: 'COMPANY' },
  { title: 'MAY' },
  { title: 'STATE', style: (state) => (state === 'disabled' ? 'red' : 'green') },
  { title: 'LAST LOGIN' },
];

function toRow({ email, companyKey, isAdmin, isDisabled, lastLogin }: AccountSummary): string[] {
  const last = lastLogin === null ? '–' : lastLogin.slice(0, 16).replace('T', ' ');
  return [email, companyKey, isAdmin ? 'write' : 'read', isDisabled ? 'disabled' : 'good', last];
}
