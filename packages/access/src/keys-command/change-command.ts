import { Command } from 'commander';
import { editKeys, rejectKey, toKeyJson, withStore } from './key-editing.ts';
import { addCommonOptions, type GrantChange, type KeysCommandOptions } from './key-options.ts';

/** Creates a command such as `keys plan <name> <plan>`. */
export function createChangeCommand(options: KeysCommandOptions, change: GrantChange): Command {
  const { terminal, storeOf, program, grants } = options;
  const command = new Command(change.action)
    .summary(change.summary)
    .description(change.description)
    .argument('<name>', 'name of the key')
    .argument(...change.argument);
  return addCommonOptions(command, options, 'print the entry as JSON').action(
    async (text: string, value: unknown, given: Readonly<Record<string, unknown>>) => {
      const name = rejectKey(text, program);
      let changed: Readonly<Record<string, unknown>> = {};
      await withStore(storeOf(given), (store) =>
        editKeys(store, { action: change.action, name }, (file) => {
          const edited = change.edit(file, name, value);
          changed = toKeyJson(edited.keys.find((key) => key.name === name) ?? { name }, grants.toJson);
          return edited;
        }),
      );
      if (given.json) terminal.out.write(`${JSON.stringify(changed, null, 2)}\n`);
      else terminal.out.write(`Changed the ${change.action} of ${name}.\n`);
    },
  );
}
