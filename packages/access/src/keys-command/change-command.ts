import { Command } from 'commander';
import { rejectKey, toKeyJson, withKeys } from './key-editing.ts';
import { addCommonOptions, type GrantChange, type KeysCommandOptions } from './key-options.ts';

/** Creates a command such as `keys plan <name> <plan>`. */
export function createChangeCommand(options: KeysCommandOptions, change: GrantChange): Command {
  const { terminal, program, grants } = options;
  const command = new Command(change.action)
    .summary(change.summary)
    .description(change.description)
    .argument('<name>', 'name of the key')
    .argument(...change.argument);
  return addCommonOptions(command, options, 'print the entry as JSON').action(
    async (text: string, value: unknown, given: Readonly<Record<string, unknown>>) => {
      const name = rejectKey(text, program);
      const entry = await withKeys(options, given, (keys) => keys.change(name, change.toChange(value)));
      if (given.json) terminal.out.write(`${JSON.stringify(toKeyJson(entry, grants.toJson), null, 2)}\n`);
      else terminal.out.write(`Changed the ${change.action} of ${name}.\n`);
    },
  );
}
