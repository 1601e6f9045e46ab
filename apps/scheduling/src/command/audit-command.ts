import { type Column, CommandFailure, exitCodes, formatTable, parsePast } from '@rostergate/config/command';
import { canonicalDateTime } from '@rostergate/odata';
import { Command } from 'commander';
import type { AuditChoice, AuditEntry } from '../store/audit.ts';
import type { StaffStore } from '../store/staff-store.ts';
import { addDatabaseOptions, type CommandContext, parseCount, pickDatabase, withDatabase } from './database-command.ts';

export function createAuditCommand(context: CommandContext): Command {
  return new Command('audit')
    .description('Shows the audit: who changed which person, when, in which request, and which fields.')
    .usage('<command> [options]')
    .helpCommand('help [command]', 'Show help for a command')
    .commandsGroup('Commands:')
    .addCommand(createAuditListCommand(context));
}

interface Options {
  readonly company?: string;
  readonly staff?: string;
  readonly since?: string;
  readonly account?: string;
  readonly limit: number;
  readonly json?: true;
}

function createAuditListCommand(context: CommandContext): Command {
  const { terminal, clock } = context;
  const command = new Command('list')
    .summary('List the writes, newest first')
    .description(
      'Lists the writes, newest first. The audit contains the names of changed fields and no values. Piped output is tab-separated, one write per line. Times are UTC.',
    )
    .option('--company <key>', 'only writes in this company')
    .option('--staff <key>', 'only writes to the person with this StaffKey')
    .option('--since <when>', 'only writes since this time: 90d, 12h, 30m, 2026-01-31 or 2026-01-31T12:00Z')
    .option('--account <email>', 'only writes of this account; imports are under "import"')
    .option('--limit <number>', 'maximum number of writes', parseCount('--limit', 1, 1_000_000), 50)
    .option('--json', 'print the writes as JSON');
  return addDatabaseOptions(command)
    .addHelpText(
      'after',
      '\nExamples:\n  rostergate-scheduling audit list --since 24h' +
        '\n  rostergate-scheduling audit list --staff 6f1c… --limit 1000 --json',
    )
    .action(async ({ company, staff, since, account, limit, json, ...rest }: Options) => {
      const choice = {
        limit,
        staffKey: staff,
        account: account?.toLowerCase(),
        sinceUtc: since === undefined ? undefined : parseSince(since, clock()),
      };
      const found = await withDatabase(context, pickDatabase(rest), ({ store }) => readAll(store, company, choice));
      if (json) terminal.out.write(`${JSON.stringify(found.map(toJson), null, 2)}\n`);
      else if (found.length === 0) terminal.err.write('No write matches.\n');
      else terminal.out.write(formatTable(columns, found.map(toRow), terminal.out));
    });
}

function parseSince(text: string, nowMs: number): string {
  const moment = parsePast(text, nowMs);
  if (moment !== undefined) return canonicalDateTime(moment.toISOString()) as string;
  const detail = '--since needs a time in the past, such as 90d, 12h, 30m, 2026-01-31 or 2026-01-31T12:00Z.';
  throw new CommandFailure(detail, exitCodes.usage);
}

const pageSize = 1_000;

async function readAll(
  store: Pick<StaffStore, 'listAudit'>,
  companyKey: string | undefined,
  { limit, ...choice }: AuditChoice,
): Promise<AuditEntry[]> {
  const found: AuditEntry[] = [];
  while (found.length < limit) {
    const pageLimit = Math.min(pageSize, limit - found.length);
    const page = await store.listAudit(companyKey, { ...choice, limit: pageLimit, beforeRow: found.at(-1)?.row });
    found.push(...page);
    if (page.length < pageLimit) break;
  }
  return found;
}

const columns: readonly Column[] = [
  { title: 'TIME' },
  { title: 'COMPANY' },
  { title: 'ACCOUNT' },
  { title: 'OPERATION', style: () => 'cyan' },
  { title: 'STAFF KEY' },
  { title: 'CHANGED' },
  { title: 'REQUEST', style: () => 'dim' },
];

function toRow({ atUtc, companyKey, account, operation, staffKey, changedFields, requestId }: AuditEntry): string[] {
  const time = atUtc.slice(0, 19).replace('T', ' ');
  return [time, companyKey, account, operation, staffKey, changedFields.join(' ') || '–', requestId];
}

function toJson({ atUtc, companyKey, account, operation, staffKey, changedFields, requestId }: AuditEntry) {
  return {
    ...{ at: `${atUtc}Z`, company_key: companyKey, account, operation, staff_key: staffKey },
    ...{ changed_fields: changedFields, request_id: requestId },
  };
}
