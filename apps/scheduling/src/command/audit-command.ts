import { Command } from 'commander';
import { createAuditListCommand } from './audit-list-command.ts';
import type { CommandContext } from './command-context.ts';

/** `rostergate-scheduling audit …`: what the database remembers of each write. */
export function createAuditCommand(context: CommandContext): Command {
  return new Command('audit')
    .description('Shows the audit: who changed which person when, by which request, and the names of what changed.')
    .usage('<command> [options]')
    .helpCommand('help [command]', 'Show help for a command')
    .commandsGroup('Commands:')
    .addCommand(createAuditListCommand(context));
}
