import { Command } from 'commander';
import { revokeKey } from '../keys/index.ts';
import { editKeys, refuseKey, shortTime, toKeyJson } from './key-editing.ts';
import type { KeysCommandOptions } from './keys-command.ts';

/** `… keys revoke` */
export function createKeysRevokeCommand(options: KeysCommandOptions): Command {
  const { terminal, clock, storeOf, fileOptions, program, grants } = options;
  const command = new Command('revoke')
    .summary('Revoke a key at once')
    .description('Revokes a key at once. Its entry stays, so that whoever uses it is told that it was revoked.')
    .argument('<name>', 'name of the key');
  for (const option of fileOptions()) command.addOption(option);
  return command
    .option('--json', 'print the entry as JSON')
    .helpOption('-h, --help', 'Show help')
    .action(async (text: string, given: Readonly<Record<string, unknown>>) => {
      const name = refuseKey(text, program);
      let revoked: Readonly<Record<string, unknown>> = {};
      let since: unknown;
      await editKeys(storeOf(given), (file) => {
        const edited = revokeKey(file, name, clock());
        revoked = toKeyJson(edited.keys.find((key) => key.name === name) ?? { name }, grants.toJson);
        // One that was revoked before keeps its time, and asking again is no mistake.
        since = edited === file ? revoked.revoked_at : undefined;
        return edited;
      });
      if (given.json) terminal.out.write(`${JSON.stringify(revoked, null, 2)}\n`);
      else if (since) terminal.out.write(`${name} is revoked already, since ${shortTime(since)} UTC.\n`);
      else terminal.out.write(`Revoked ${name}.\n`);
    });
}
