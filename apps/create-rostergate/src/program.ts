import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { create } from './create.ts';
import { loadTemplates } from './load-templates.ts';

/** Runs the command with the arguments and the terminal of a process, and sets its exit code. */
export async function run(target: NodeJS.Process): Promise<void> {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const { stdin: input, stdout: output, stderr } = target;
  const hasTerminal = input.isTTY && output.isTTY;
  const lines = hasTerminal ? createInterface({ input, output }) : undefined;
  const ended = new AbortController();
  lines?.once('close', () => ended.abort());
  target.exitCode = await create({
    args: target.argv.slice(2),
    version,
    templates: loadTemplates(),
    ask: lines && ((question) => lines.question(question, { signal: ended.signal })),
    print: (text) => void output.write(text),
    printError: (text) => void stderr.write(text),
  });
  lines?.close();
}
