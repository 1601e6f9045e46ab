import { runCommand } from './run-command.ts';
import { ToolFailure } from './workspace.ts';

try {
  await runCommand(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ToolFailure)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
