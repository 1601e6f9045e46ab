import { relative } from 'node:path';
import { Command } from 'commander';
import { addKey } from '../keys/index.ts';
import { describeEnd, editKeys, mintKey, showKey } from './key-editing.ts';
import { parseExpiry, parseKeyName, parsePrefix } from './key-options.ts';
import type { KeysCommandOptions } from './keys-command.ts';

interface Given extends Readonly<Record<string, unknown>> {
  readonly name: string;
  readonly owner?: string;
  readonly expires?: string;
  readonly prefix: string;
  readonly json?: true;
}

/** `… keys create` */
export function createKeysCreateCommand(options: KeysCommandOptions): Command {
  const { terminal, clock, random, storeOf, fileOptions, keyPrefix, grants } = options;
  const command = new Command('create')
    .summary('Create a key, and show it once')
    .description(
      'Creates a key and shows it once: only its SHA-256 digest is kept. The key alone goes to stdout, so that it can be piped.',
    )
    .requiredOption('--name <name>', 'what logs and metrics call the key; letters, digits and . _ @ -')
    .option('--owner <owner>', 'who holds it: limits count per owner (default: the name)');
  for (const { flags, description, isNeeded } of grants.options) {
    if (isNeeded) command.requiredOption(flags, description);
    else command.option(flags, description);
  }
  command
    .option('--expires <when>', 'when it ends: 90d, 12h, 30m, 2027-01-01 or 2027-01-01T12:00Z (default: never)')
    .option('--prefix <prefix>', 'what the key begins with', keyPrefix);
  for (const option of fileOptions()) command.addOption(option);
  return command
    .option('--json', 'print the key and its entry as JSON')
    .helpOption('-h, --help', 'Show help')
    .action(async (given: Given) => {
      const nowMs = clock();
      const store = storeOf(given);
      const expiresAt = given.expires === undefined ? undefined : parseExpiry(given.expires, nowMs);
      const name = parseKeyName('--name', given.name, options);
      const owner = given.owner === undefined ? name : parseKeyName('--owner', given.owner, options);
      const { key, ...minted } = mintKey(parsePrefix(given.prefix), random);
      const entry = {
        name,
        owner,
        ...minted,
        ...grants.toFields(given),
        created_at: new Date(nowMs).toISOString(),
        expires_at: expiresAt?.toISOString() ?? null,
        revoked_at: null,
      };
      await editKeys(store, (file) => addKey(file, entry));
      const told = `Created ${name} in ${relative('', store.path)}; it ${describeEnd(entry.expires_at)}.`;
      showKey(terminal, { key, entry, toJson: grants.toJson, told, wantsJson: given.json === true });
    });
}
