import { existsSync } from 'node:fs';
import {
  type Column,
  CommandFailure,
  exitCodes,
  formatTable,
  parsePast,
  withProgress,
} from '@rostergate/config/command';
import { Problem } from '@rostergate/server/problem';
import { Command, Option } from 'commander';
import { openUsageStore, type UsageTarget } from '../usage/open-usage-store.ts';
import { checkUsageRows, toHourText, toUsageCsv, toUsageQuery } from '../usage/usage-range.ts';
import { usageOf } from '../usage/usage-settings.ts';
import { type UsagePart, type UsageStore, usageParts } from '../usage/usage-store.ts';
import { type CommandContext, configOption } from './command-context.ts';
import { requiredSettingsOf } from './configuration-paths.ts';

interface Options {
  readonly config?: string;
  readonly from?: string;
  readonly to?: string;
  readonly interval: 'hour' | 'day';
  readonly by?: string;
  readonly owner?: string;
  readonly csv?: true;
  readonly json?: true;
}

/** Counts of an export at most. */
const rowsMax = 1_000_000;

/** `rostergate usage` */
export function createUsageCommand(context: CommandContext): Command {
  return new Command('usage')
    .description(
      'Shows the finished requests of all owners, from the store that the setting usage names. In a pipe, the output is tab-separated.',
    )
    .addOption(configOption())
    .option(
      '--from <time>',
      'start: a time ago such as 7d, a day or an RFC 3339 time (default: 24 hours before the end)',
    )
    .option('--to <time>', 'end, which is not part of the range (default: now)')
    .addOption(
      new Option('--interval <interval>', 'count by hour or by day (UTC)').choices(['hour', 'day']).default('hour'),
    )
    .option('--by <parts>', `what to count apart, separated by commas (default: ${usageParts.join(',')})`)
    .option('--owner <owner>', 'the requests of this owner only')
    .option('--csv', 'print CSV')
    .addOption(new Option('--json', 'print a JSON array').conflicts('csv'))
    .action((options: Options) => showUsage(context, options));
}

async function showUsage(context: CommandContext, options: Options): Promise<void> {
  const { terminal, clock } = context;
  const { interval, owner, csv, json } = options;
  const nowMs = clock();
  const { settings, folder } = requiredSettingsOf(context, options.config);
  const usage = usageOf(settings, folder);
  if (usage === undefined) {
    throw new CommandFailure('This configuration stores no usage. Add "usage": {} to settings.json and restart.');
  }
  const request = {
    from: parseTime('--from', options.from, nowMs),
    to: parseTime('--to', options.to, nowMs),
    by: parseParts(options.by),
    interval,
  };
  const rows = await withProgress({ output: terminal.err, text: 'Reading the usage' }, read(usage.target));
  async function read(target: UsageTarget) {
    try {
      const query = toUsageQuery(request, { owner, parts: usageParts, nowMs, rowsMax });
      const store = await openToRead(target);
      try {
        return checkUsageRows(await store.read(query), query);
      } finally {
        await store.close();
      }
    } catch (error) {
      if (error instanceof CommandFailure) throw error;
      if (error instanceof Problem && error.errors.length > 0) throw toUsageError(error);
      const detail = error instanceof Error ? error.message : String(error);
      throw new CommandFailure(`The store of the usage cannot be read: ${detail}`, exitCodes.failed, { cause: error });
    }
  }
  const by = usageParts.filter((part) => request.by?.includes(part) ?? true);
  const listed = rows.map(({ hour, ...row }) => ({ time: toHourText(hour), ...row }));
  if (csv) terminal.out.write(toUsageCsv(rows, by));
  else if (json) terminal.out.write(`${JSON.stringify(listed, null, 2)}\n`);
  else {
    const cells = listed.map((row) => [row.time, ...by.map((part) => row[part] || '–'), String(row.requests)]);
    terminal.out.write(
      formatTable([timeColumn, ...by.map((part) => columns[part]), requestsColumn], cells, terminal.out),
    );
  }
}

const timeColumn: Column = { title: 'TIME', isWhole: true };
const requestsColumn: Column = { title: 'REQUESTS', align: 'right', isWhole: true };
const columns: Readonly<Record<UsagePart, Column>> = {
  owner: { title: 'OWNER' },
  key: { title: 'KEY' },
  operation: { title: 'OPERATION' },
  status: { title: 'STATUS', style: (cell) => (cell === '5xx' ? 'red' : undefined) },
};

async function openToRead(target: UsageTarget): Promise<Pick<UsageStore, 'read' | 'close'>> {
  if ('url' in target) return openUsageStore(target);
  const { file } = target;
  if (!existsSync(file))
    throw new CommandFailure(`${file}: There is no such file. The server creates it.`, exitCodes.failed);
  return (await import('../usage/sqlite-usage-store.ts')).readSqliteUsageStore(file);
}

function parseTime(option: string, text: string | undefined, nowMs: number): string | undefined {
  if (text === undefined) return undefined;
  const time = parsePast(text, nowMs);
  if (time !== undefined) return time.toISOString();
  throw new CommandFailure(
    `${option} takes a time ago such as 7d, a day such as 2026-01-31 or a time such as 2026-01-31T12:00:00Z, in the past.`,
    exitCodes.usage,
  );
}

function parseParts(text: string | undefined): readonly UsagePart[] | undefined {
  if (text === undefined) return undefined;
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !(usageParts as readonly string[]).includes(name));
  if (wrong === undefined) return names as UsagePart[];
  throw new CommandFailure(`--by takes ${usageParts.join(', ')}, separated by commas.`, exitCodes.usage);
}

/** Returns the failure for a range that is empty or too long. */
function toUsageError({ errors }: Problem): CommandFailure {
  const texts = errors.map(({ parameter, detail }) => `--${parameter} ${detail.replaceAll(/"(\w+)"/g, '--$1')}`);
  return new CommandFailure(`${texts.join('\n')}.`, exitCodes.usage);
}
