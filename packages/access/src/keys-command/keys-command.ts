import { type Column, formatTable } from '@rostergate/config/command';
import { Command } from 'commander';
import { keyStateAt, type RawKeyEntry } from '../keys/index.ts';
import { createAuditCommand } from './audit-command.ts';
import { createChangeCommand } from './change-command.ts';
import { describeExpiry, rejectKey, shortTime, showKey, toKeyJson, withKeys } from './key-editing.ts';
import {
  addCommonOptions,
  type KeyGrants,
  type KeysCommandOptions,
  parseExpiry,
  parseKeyName,
  parseOverlap,
  parsePrefix,
} from './key-options.ts';

/** Creates the command `keys`, which creates, lists, revokes, rotates and changes the keys of a server. */
export function createKeysCommand(options: KeysCommandOptions): Command {
  const { server, file, grants, hasAudit = false } = options;
  const command = new Command('keys')
    .description(`Creates, lists, revokes and rotates the keys in ${file}. A running ${server} applies every change.`)
    .usage('<command> [options]')
    .helpCommand('help [command]', 'Show help for a command')
    .commandsGroup('Commands:')
    .addCommand(createCreateCommand(options))
    .addCommand(createListCommand(options))
    .addCommand(createRevokeCommand(options))
    .addCommand(createRotateCommand(options));
  for (const change of grants.changes) command.addCommand(createChangeCommand(options, change));
  return hasAudit ? command.addCommand(createAuditCommand(options)) : command;
}

type Given = Readonly<Record<string, unknown>>;

interface CreateOptions extends Given {
  readonly name: string;
  readonly owner?: string;
  readonly expires?: string;
  readonly prefix: string;
  readonly json?: true;
}

function createCreateCommand(options: KeysCommandOptions): Command {
  const { terminal, clock, keyPrefix, grants } = options;
  const command = new Command('create')
    .summary('Create a key and show it once')
    .description(
      'Creates a key and shows it once. Only its SHA-256 digest is stored. The key alone goes to stdout, so that it can be piped.',
    )
    .requiredOption('--name <name>', 'name of the key in logs and metrics; letters, digits and . _ @ -')
    .option('--owner <owner>', 'holder of the key; limits count per owner (default: the name)');
  for (const { flags, description, isNeeded } of grants.options) {
    if (isNeeded) command.requiredOption(flags, description);
    else command.option(flags, description);
  }
  command
    .option('--expires <when>', 'expiry: 90d, 12h, 30m, 2027-01-01 or 2027-01-01T12:00Z (default: none)')
    .option('--prefix <prefix>', 'first part of the key', keyPrefix);
  return addCommonOptions(command, options, 'print the key and its entry as JSON').action(
    async (given: CreateOptions) => {
      const nowMs = clock();
      const expiresAt = given.expires === undefined ? undefined : parseExpiry(given.expires, nowMs);
      const name = parseKeyName('--name', given.name, options);
      const owner = given.owner === undefined ? name : parseKeyName('--owner', given.owner, options);
      const prefix = parsePrefix(given.prefix);
      const wanted = {
        nowMs,
        name,
        owner,
        prefix,
        expiresAt: expiresAt?.toISOString() ?? null,
        fields: grants.toFields(given),
      };
      const { place, key, entry } = await withKeys(options, given, async (keys) => {
        return { place: keys.place, ...(await keys.create(wanted)) };
      });
      const message = `Created ${name} in ${place}; it ${describeExpiry(entry.expires_at)}.`;
      showKey(terminal, { key, entry, toJson: grants.toJson, message, wantsJson: given.json === true });
    },
  );
}

function createListCommand(options: KeysCommandOptions): Command {
  const { terminal, clock, file, program, grants } = options;
  const command = new Command('list')
    .summary('List the keys, without their digests')
    .description(`Lists the keys in ${file}. Piped output is tab-separated, one key per line. Times are UTC.`);
  return addCommonOptions(command, options, 'print a JSON array').action(async (given: Given) => {
    const keys = await withKeys(options, given, (all) => all.list());
    const stated = keys.map((entry) => ({ entry, state: keyStateAt(entry, clock()) }));
    if (given.json) {
      const list = stated.map(({ entry, state }) => ({ ...toKeyJson(entry, grants.toJson), state }));
      terminal.out.write(`${JSON.stringify(list, null, 2)}\n`);
    } else if (keys.length === 0) {
      terminal.err.write(`There are no keys yet: ${program} keys create ${requiredOptionsOf(grants)}\n`);
    } else {
      const columns = grants.columns.filter(
        (column) => !column.isLeftOutIfEmpty || keys.some((key) => column.of(key) !== ''),
      );
      const rows = stated.map(({ entry, state }) => toRow(entry, state, { ...grants, columns }));
      terminal.out.write(formatTable([...firstColumns, ...columns, ...lastColumns], rows, terminal.out));
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

function requiredOptionsOf({ options }: KeyGrants): string {
  return ['--name <name>', ...options.flatMap(({ flags, isNeeded }) => (isNeeded ? [flags] : []))].join(' ');
}

function createRevokeCommand(options: KeysCommandOptions): Command {
  const { terminal, program, grants } = options;
  const command = new Command('revoke')
    .summary('Revoke a key at once')
    .description('Revokes a key at once. Its entry stays, so that requests with the key are rejected as revoked.')
    .argument('<name>', 'name of the key');
  return addCommonOptions(command, options, 'print the entry as JSON').action(async (text: string, given: Given) => {
    const name = rejectKey(text, program);
    const { entry, isRevokedNow } = await withKeys(options, given, (keys) => keys.revoke(name));
    if (given.json) terminal.out.write(`${JSON.stringify(toKeyJson(entry, grants.toJson), null, 2)}\n`);
    // Revoking a key again succeeds.
    else if (!isRevokedNow) {
      terminal.out.write(`${name} is revoked already, since ${shortTime(entry.revoked_at)} UTC.\n`);
    } else terminal.out.write(`Revoked ${name}.\n`);
  });
}

interface RotateOptions extends Given {
  readonly overlap: string;
  readonly expires?: string;
  readonly prefix?: string;
  readonly json?: true;
}

function createRotateCommand(options: KeysCommandOptions): Command {
  const { terminal, clock, program, grants } = options;
  const command = new Command('rotate')
    .summary('Replace a key; both stay valid during the overlap')
    .description(
      `Creates a successor of a key and shows it once. The successor has the same ${grants.inheritedByRotation} and a name with the next number (ops-2 after ops). The old key expires after the overlap.`,
    )
    .argument('<name>', 'name of the key')
    .option('--overlap <duration>', 'how long the old key stays valid: 24h, 7d, 30m or 0', '24h')
    .option('--expires <when>', 'expiry of the new key (default: the lifetime of the old key)')
    .option('--prefix <prefix>', 'first part of the new key (default: that of the old key)');
  return addCommonOptions(command, options, 'print the new key and its entry as JSON').action(
    async (text: string, given: RotateOptions) => {
      const name = rejectKey(text, program);
      const nowMs = clock();
      const overlapMs = parseOverlap(given.overlap);
      const expiresAt = given.expires === undefined ? undefined : parseExpiry(given.expires, nowMs).toISOString();
      const prefix = given.prefix === undefined ? undefined : parsePrefix(given.prefix);
      const { key, entry, oldExpiresAt } = await withKeys(options, given, (keys) =>
        keys.rotate(name, { nowMs, overlapMs, expiresAt, prefix }),
      );
      const message = `Created ${entry.name}, which ${describeExpiry(entry.expires_at)}; ${name} ${describeExpiry(oldExpiresAt)}.`;
      const extra = { replaces: { name, expires_at: oldExpiresAt } };
      showKey(terminal, { key, entry, toJson: grants.toJson, message, wantsJson: given.json === true, extra });
    },
  );
}
