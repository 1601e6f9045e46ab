import {
  CommandFailure,
  createProgressBar,
  describeSystemError,
  exitCodes,
  formatTable,
  isSystemError,
} from '@rostergate/config/command';
import { Command, Option } from 'commander';
import { addDatabaseOptions, type CommandContext, pickDatabase, withDatabase } from './database-command.ts';
import { requireCompany } from './require-company.ts';

interface Options {
  readonly company: string;
  readonly format: 'csv' | 'json';
  readonly json?: true;
}

export function createExportCommand(context: CommandContext): Command {
  const { terminal, clock } = context;
  const command = new Command('export')
    .description(
      'Writes a company into a folder: one file for each of its catalogues, its people, and their tags, skills, profiles, locations, badges, pay modifiers and request limits. The command import reads the same files. All files show the same moment, and servers may write meanwhile. Accounts, the audit and versions of people are not exported. The files contain personal data and PINs, so only their owner may read them. Values are written exactly: do not open the files in a spreadsheet unless you trust the people who entered the values.',
    )
    .argument('<folder>', 'the folder, which is created when it is missing')
    .requiredOption('--company <key>', 'the company')
    .addOption(new Option('--format <format>', 'the format of the files').choices(['csv', 'json']).default('csv'))
    .option('--json', 'print the result as JSON');
  return addDatabaseOptions(command)
    .addHelpText(
      'after',
      '\nExamples:\n  rostergate-scheduling export my-company.d --company my-company' +
        '\n  rostergate-scheduling export my-company.d --company my-company --format json',
    )
    .action(async (folder: string, { company, format, json, ...rest }: Options) => {
      const bar = createProgressBar({ output: terminal.err, clock, text: `Exporting ${company}`, unit: 'files' });
      const files = await withDatabase(context, pickDatabase(rest), async (opened) => {
        await requireCompany(opened, company);
        return opened.store
          .exportCompany({ companyKey: company, folder, format, onProgress: bar.show })
          .catch((error: unknown) => {
            if (!isSystemError(error)) throw error;
            const remedy = error.code === 'EEXIST' ? ' Export into another folder, or remove the file.' : '';
            const detail = `${describeSystemError(error)}${remedy}`;
            throw new CommandFailure(detail, exitCodes.failed, { cause: error });
          })
          .finally(bar.clear);
      });
      if (json) {
        terminal.out.write(`${JSON.stringify({ company_key: company, files }, null, 2)}\n`);
        return;
      }
      const columns = [
        { title: 'file', isWhole: true },
        { title: 'rows', align: 'right' as const },
      ];
      const rows = files.map((file) => [file.path, file.rows.toLocaleString('en-US')]);
      terminal.out.write(formatTable(columns, rows, terminal.out));
    });
}
