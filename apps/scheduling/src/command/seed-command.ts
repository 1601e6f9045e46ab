import { CommandFailure, createProgressBar, exitCodes } from '@rostergate/config/command';
import { Command } from 'commander';
import { demoCompanyKey } from '../demo/random.ts';
import { addDatabaseOptions, type CommandContext, parseCount, pickDatabase, withDatabase } from './database-command.ts';

interface Options {
  readonly companies: number;
  readonly staff: number;
  readonly companyKey?: readonly string[];
  readonly tags?: number;
  readonly skills?: number;
  readonly json?: true;
}

export function createSeedCommand(context: CommandContext): Command {
  const { terminal, clock } = context;
  const command = new Command('seed')
    .description(
      'Fills the database with invented companies, the same on every machine. Existing companies are unchanged. Each company is added completely or not at all.',
    )
    .option('--companies <number>', 'number of companies', parseCount('--companies', 1, 10_000), 12)
    .option('--staff <number>', 'people per company', parseCount('--staff', 0, 1_000_000), 25)
    .option('--company-key <key...>', 'keys of the first companies; may be repeated (default: generated keys)')
    .option('--tags <number>', 'tags of each person (default: one to eight)', parseCount('--tags', 0, 25))
    .option('--skills <number>', 'skills of each person (default: up to seven)', parseCount('--skills', 0, 14))
    .option('--json', 'print the result as JSON');
  return addDatabaseOptions(command)
    .addHelpText(
      'after',
      '\nExamples:\n  rostergate-scheduling seed --companies 3 --staff 100' +
        '\n  rostergate-scheduling seed --companies 1 --staff 1000 --company-key my-company',
    )
    .action(async ({ companies, staff, companyKey = [], tags, skills, json, ...rest }: Options) => {
      const companyKeys = checkKeys(companyKey, companies);
      const bar = createProgressBar({ output: terminal.err, text: 'Seeding', unit: 'people', clock });
      const added = await withDatabase(context, { ...pickDatabase(rest), isMade: true }, ({ store }) =>
        store
          .seedDemo({ companies, staff, otherStaff: staff, companyKeys, tags, skills, onProgress: bar.show })
          .finally(bar.clear),
      );
      const keys = Array.from({ length: companies }, (_, i) => companyKeys[i] ?? demoCompanyKey(i));
      if (json) {
        terminal.out.write(`${JSON.stringify({ added, company_keys: keys }, null, 2)}\n`);
        return;
      }
      const message = added === 0 ? 'No people were added: the companies exist.' : `${count(added)} people were added.`;
      terminal.err.write(`${message} Keys of the companies:\n`);
      terminal.out.write(keys.map((key) => `${key}\n`).join(''));
    });
}

function checkKeys(keys: readonly string[], companies: number): readonly string[] {
  const wrong = keys.find((key, i) => key === '' || keys.indexOf(key) !== i);
  if (wrong !== undefined) {
    throw new CommandFailure('--company-key needs keys that are different and not empty.', exitCodes.usage);
  }
  if (keys.length <= companies) return keys;
  const detail = `--company-key was given ${keys.length} times for ${companies} companies. Raise --companies.`;
  throw new CommandFailure(detail, exitCodes.usage);
}

const count = (n: number) => n.toLocaleString('en-US');
