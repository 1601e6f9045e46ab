import { CommandFailure, exitCodes, formatTable } from '@rostergate/config/command';
import { Command } from 'commander';
import { shortTime, withKeys } from './key-editing.ts';
import { addCommonOptions, type KeysCommandOptions } from './key-options.ts';

/** Creates the command `keys audit`, which lists who changed which key, the latest first. */
export function createAuditCommand(options: KeysCommandOptions): Command {
  const { terminal } = options;
  const command = new Command('audit')
    .summary('List who changed which key')
    .description(
      'Lists the changes of keys in the key store, the latest first: when, who, and the new values. Times are UTC.',
    )
    .option('--limit <count>', 'how many changes to list', '100');
  return addCommonOptions(command, options, 'print a JSON array').action(
    async (given: Readonly<Record<string, unknown>>) => {
      const limit = /^[1-9]\d{0,3}$/.test(String(given.limit)) ? Number(given.limit) : undefined;
      if (limit === undefined) throw new CommandFailure('--limit takes a number from 1 to 9999.', exitCodes.usage);
      const entries = await withKeys(options, given, (keys) => keys.audit(limit));
      if (entries === undefined) {
        throw new CommandFailure('The keys file records no changes. Set key_store_url to use a store that does.');
      }
      if (given.json) terminal.out.write(`${JSON.stringify(entries, null, 2)}\n`);
      else {
        const rows = entries.map(({ at, actor, action, name, owner, changes }) => {
          return [shortTime(at), actor, action, name, owner, JSON.stringify(changes)];
        });
        terminal.out.write(formatTable(columns, rows, terminal.out));
      }
    },
  );
}

const columns = ['WHEN', 'WHO', 'ACTION', 'KEY', 'OWNER', 'CHANGES'].map((title) => ({ title }));
