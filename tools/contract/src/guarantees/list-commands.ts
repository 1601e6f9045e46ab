import type { Command } from 'commander';
import type { Listed } from './find-gaps.ts';

/** Commands that do something, those within a group by both names. */
export function listCommands(parent: Command, before = ''): Listed[] {
  return parent.commands.flatMap((command) => {
    const name = `${before}${command.name()}`;
    if (command.commands.length > 0) return listCommands(command, `${name} `);
    return [{ name, description: command.description() }];
  });
}
