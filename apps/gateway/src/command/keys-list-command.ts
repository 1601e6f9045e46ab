import { type Column, formatTable } from '@rostergate/runtime/command';
import { keyStateAt, type RawKeyEntry, readKeysFileStore } from '@rostergate/runtime/keys';
import { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import { configOption } from './config-option.ts';
import { keysStoreOf, shortTime, toKeyJson } from './key-editing.ts';

/** `rostergate keys list` */
export function createKeysListCommand(context: CommandContext): Command {
  const { terminal, clock } = context;
  return new Command('list')
    .summary('List the keys, without their digests')
    .description('Lists the keys of keys.json. Piped, it is a line a key with tabs between the columns; times are UTC.')
    .addOption(configOption())
    .option('--json', 'print a JSON array')
    .helpOption('-h, --help', 'Show help')
    .action(({ config, json }: { config?: string; json?: true }) => {
      const { keys } = readKeysFileStore(keysStoreOf(context, config));
      const stated = keys.map((entry) => ({ entry, state: keyStateAt(entry, clock()) }));
      if (json) {
        const list = stated.map(({ entry, state }) => ({ ...toKeyJson(entry), state }));
        terminal.out.write(`${JSON.stringify(list, null, 2)}\n`);
      } else if (keys.length === 0) {
        terminal.err.write('There are no keys yet: rostergate keys create --name <name>\n');
      } else {
        const rows = stated.map(({ entry, state }) => toRow(entry, state));
        terminal.out.write(formatTable(columns, rows, terminal.out));
      }
    });
}

const columns: readonly Column[] = [
  { title: 'NAME' },
  { title: 'OWNER' },
  { title: 'KEY' },
  { title: 'SCOPES' },
  { title: 'CREATED' },
  { title: 'EXPIRES' },
  { title: 'STATE', style: (state) => (state === 'active' ? 'green' : 'red') },
];

function toRow(entry: RawKeyEntry, state: string): string[] {
  const { name, owner, prefix, scopes, created_at, expires_at } = toKeyJson(entry);
  return [
    String(name),
    String(owner),
    prefix === '' ? '–' : `${prefix}…`,
    (scopes as readonly string[]).join(' ') || '–',
    shortTime(created_at),
    shortTime(expires_at),
    state,
  ];
}
