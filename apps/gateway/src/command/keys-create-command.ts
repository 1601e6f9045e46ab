import { relative } from 'node:path';
import { addKey } from '@rostergate/runtime/keys';
import { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import { configOption } from './config-option.ts';
import { describeEnd, editKeys, keysStoreOf, mintKey, showKey } from './key-editing.ts';
import { parseExpiry, parseKeyName, parsePrefix, parseScopes } from './key-options.ts';

interface Options {
  readonly config?: string;
  readonly name: string;
  readonly owner?: string;
  readonly scope?: readonly string[];
  readonly expires?: string;
  readonly prefix: string;
  readonly json?: true;
}

/** `rostergate keys create` */
export function createKeysCreateCommand(context: CommandContext): Command {
  const { terminal, clock, random } = context;
  return new Command('create')
    .summary('Create a key, and show it once')
    .description(
      'Creates a key and shows it once: only its SHA-256 digest is kept. The key alone goes to stdout, so that it can be piped.',
    )
    .requiredOption('--name <name>', 'what logs and metrics call the key; letters, digits and . _ @ -')
    .option('--owner <owner>', 'who holds it: limits count per owner (default: the name)')
    .option('--scope <scope...>', 'what the key may do; may be repeated')
    .option('--expires <when>', 'when it ends: 90d, 12h, 30m, 2027-01-01 or 2027-01-01T12:00Z (default: never)')
    .option('--prefix <prefix>', 'what the key begins with', 'rg')
    .addOption(configOption())
    .option('--json', 'print the key and its entry as JSON')
    .helpOption('-h, --help', 'Show help')
    .action(async (options: Options) => {
      const nowMs = clock();
      const store = keysStoreOf(context, options.config);
      const expiresAt = options.expires === undefined ? undefined : parseExpiry(options.expires, nowMs);
      const name = parseKeyName('--name', options.name);
      const owner = options.owner === undefined ? name : parseKeyName('--owner', options.owner);
      const { key, ...minted } = mintKey(parsePrefix(options.prefix), random);
      const entry = {
        name,
        owner,
        ...minted,
        scopes: parseScopes(options.scope ?? []),
        created_at: new Date(nowMs).toISOString(),
        expires_at: expiresAt?.toISOString() ?? null,
        revoked_at: null,
      };
      await editKeys(store, (file) => addKey(file, entry));
      const told = `Created ${name} in ${relative('', store.path)}; it ${describeEnd(entry.expires_at)}.`;
      showKey(terminal, { key, entry, told, wantsJson: options.json === true });
    });
}
