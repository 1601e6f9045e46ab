import { Command } from 'commander';
import { type Column, formatTable } from '../command/index.ts';
import { keyStateAt, type RawKeyEntry, readKeysFileStore } from '../keys/index.ts';
import { shortTime, toKeyJson } from './key-editing.ts';
import type { KeyGrants } from './key-grants.ts';
import type { KeysCommandOptions } from './keys-command.ts';

/** `… keys list` */
export function createKeysListCommand(options: KeysCommandOptions): Command {
  const { terminal, clock, storeOf, fileOptions, file, program, grants } = options;
  const command = new Command('list')
    .summary('List the keys, without their digests')
    .description(`Lists the keys of ${file}. Piped, it is a line a key with tabs between the columns; times are UTC.`);
  for (const option of fileOptions()) command.addOption(option);
  return command
    .option('--json', 'print a JSON array')
    .helpOption('-h, --help', 'Show help')
    .action((given: Readonly<Record<string, unknown>>) => {
      const { keys } = readKeysFileStore(storeOf(given));
      const stated = keys.map((entry) => ({ entry, state: keyStateAt(entry, clock()) }));
      if (given.json) {
        const list = stated.map(({ entry, state }) => ({ ...toKeyJson(entry, grants.toJson), state }));
        terminal.out.write(`${JSON.stringify(list, null, 2)}\n`);
      } else if (keys.length === 0) {
        terminal.err.write(`There are no keys yet: ${program} keys create ${neededOf(grants)}\n`);
      } else {
        const rows = stated.map(({ entry, state }) => toRow(entry, state, grants));
        terminal.out.write(formatTable([...firstColumns, ...grants.columns, ...lastColumns], rows, terminal.out));
      }
    });
}

const firstColumns: readonly Column[] = [{ title: 'NAME' }, { title: 'OWNER' }, { title: 'KEY' }];
const lastColumns: readonly Column[] = [
  { title: 'CREATED' },
  { title: 'EXPIRES' },
  { title: 'STATE', style: (state) => (state === 'active' ? 'green' : 'red') },
];

function toRow(entry: RawKeyEntry, state: string, { toJson, columns }: KeyGrants): string[] {
  const { name, owner, prefix, created_at, expires_at } = toKeyJson(entry, toJson);
  return [
    String(name),
    String(owner),
    prefix === '' ? '–' : `${prefix}…`,
    ...columns.map((column) => column.of(entry) || '–'),
    shortTime(created_at),
    shortTime(expires_at),
    state,
  ];
}

function neededOf({ options }: KeyGrants): string {
  return ['--name <name>', ...options.flatMap(({ flags, isNeeded }) => (isNeeded ? [flags] : []))].join(' ');
}
