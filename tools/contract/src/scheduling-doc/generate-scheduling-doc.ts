import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTerminal } from '@rostergate/runtime/command';
import type { Command } from 'commander';
import { generatedBy, writeGenerated } from '../generated-file.ts';
import { findGaps, type Listed } from '../guarantees/find-gaps.ts';
import { listCommands } from '../guarantees/list-commands.ts';
import { loadGuarantees } from '../guarantees/load-guarantees.ts';
import { ToolFailure } from '../tool-failure.ts';
import { bundlePath, rootFolder } from '../workspace.ts';
import { checkLines } from './check-lines.ts';
import { contractLines } from './contract-lines.ts';
import { emitSchedulingDoc } from './emit-scheduling-doc.ts';
import { listSettings, type SettingsSchema } from './list-settings.ts';
import { type Document, readOperations } from './read-operations.ts';
import { reasons } from './reasons.ts';
import { running } from './running.ts';
import { everyOperation, spreadGuarantees } from './spread-guarantees.ts';

const testFiles = ['tools/acceptance/src/staff/**/*.test.ts', 'tools/acceptance/src/scheduling/**/*.test.ts'];
const app = join(rootFolder, 'apps/scheduling/src');

/** Writes docs/scheduling.md from the contract, the command line, the settings and the titles of the acceptance tests. */
export async function generateSchedulingDoc(): Promise<void> {
  const contract = readOperations(JSON.parse(readFileSync(bundlePath('staff'), 'utf8')) as Document);
  const { operations } = contract;
  const things: Record<string, readonly Listed[]> = {
    setting: listSettings(await loadSettings()),
    command: listCommands(await loadProgram()),
    ...Object.fromEntries(operations.map(({ operationId, listed }) => [operationId, listed])),
  };
  const titles = loadGuarantees(testFiles, [...Object.keys(things), 'rule', everyOperation]);
  const guarantees = spreadGuarantees(titles, operations);
  const { held, gaps } = checkLines({ contract, contractLines, guarantees });
  const toTest = Object.entries(things).map(([subject, listed]): [string, readonly Listed[]] => [
    subject,
    listed.filter(
      ({ name }) => !(name in reasons) || guarantees.some((one) => one.subject === subject && one.name === name),
    ),
  ]);
  const named = guarantees.filter(({ subject }) => subject !== 'rule');
  const unheld = findGaps({ listed: Object.fromEntries(toTest), guarantees: named });
  const all = [
    ...new Set([...unheld, ...gaps, ...findIdleRules(guarantees.filter(({ subject }) => subject === 'rule'))]),
  ];
  if (all.length > 0) throw new ToolFailure(`docs/scheduling.md cannot be written:\n  ${all.join('\n  ')}`);
  const header = `<!-- ${generatedBy('specs/staff, apps/scheduling and tools/acceptance/src/{staff,scheduling}')} -->\n`;
  const text = emitSchedulingDoc({ listed: things, guarantees, operations, heldLines: held, reasons, running });
  writeGenerated(join(rootFolder, 'docs/scheduling.md'), `${header}${text}\n`);
}

/** Rules that tests speak of and no line of the contract is about. */
function findIdleRules(rules: readonly { readonly name: string }[]): string[] {
  const used = new Set(Object.values(contractLines).flatMap((lines) => lines.flatMap(([, ...tests]) => tests)));
  return rules
    .filter(({ name }) => !used.has(`rule ${name}`))
    .map(({ name }) => `A test is called "rule ${name}", and contract-lines.ts names it nowhere.`);
}

async function loadSettings(): Promise<SettingsSchema> {
  const { settingsSchema }: { settingsSchema: SettingsSchema } = await import(join(app, 'settings.ts'));
  return settingsSchema;
}

/** The commands themselves, which nobody runs here. */
async function loadProgram(): Promise<Command> {
  type Program = { createProgram: (context: unknown, args: readonly string[]) => Promise<Command> };
  const { createProgram }: Program = await import(join(app, 'command/program.ts'));
  const { commands }: { commands: readonly { name: string }[] } = await import(join(app, 'command/commands.ts'));
  const nowhere = { write: () => undefined };
  const context = {
    ...{ version: '', env: {}, clock: Date.now, randomBytes: () => Buffer.alloc(0), stdin: process.stdin },
    terminal: createTerminal({ stdout: nowhere, stderr: nowhere, env: {} }),
  };
  return createProgram(
    context,
    commands.map(({ name }) => name),
  );
}
