import { revokeKey } from '@rostergate/runtime/keys';
import { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import { configOption } from './config-option.ts';
import { editKeys, keysStoreOf, refuseKey, shortTime, toKeyJson } from './key-editing.ts';

/** `rostergate keys revoke` */
export function createKeysRevokeCommand(context: CommandContext): Command {
  const { terminal, clock } = context;
  return new Command('revoke')
    .summary('Revoke a key at once')
    .description('Revokes a key at once. Its entry stays, so that whoever uses it is told that it was revoked.')
    .argument('<name>', 'name of the key')
    .addOption(configOption())
    .option('--json', 'print the entry as JSON')
    .helpOption('-h, --help', 'Show help')
    .action(async (given: string, { config, json }: { config?: string; json?: true }) => {
      const name = refuseKey(given);
      let revoked = {};
      let since: unknown;
      await editKeys(keysStoreOf(context, config), (file) => {
        const edited = revokeKey(file, name, clock());
        revoked = edited.keys.find((key) => key.name === name) ?? {};
        // One that was revoked before keeps its time, and asking again is no mistake.
        since = edited === file ? toKeyJson(revoked as never).revoked_at : undefined;
        return edited;
      });
      if (json) terminal.out.write(`${JSON.stringify(toKeyJson(revoked as never), null, 2)}\n`);
      else if (since) terminal.out.write(`${name} is revoked already, since ${shortTime(since)} UTC.\n`);
      else terminal.out.write(`Revoked ${name}.\n`);
    });
}
