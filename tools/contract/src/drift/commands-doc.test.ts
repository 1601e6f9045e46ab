import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type AppName, appNames, listCommands, loadProgram } from '../configuration/load-app.ts';
import { rootFolder } from '../workspace.ts';
import { findMapDrift } from './find-map-drift.ts';

const page = readFileSync(join(rootFolder, 'docs/commands.md'), 'utf8');
const programs = await Promise.all(appNames.map(loadProgram));
const commands = new Map(
  programs.flatMap((program) =>
    listCommands(program).map(({ name, description }) => [`${program.name()} ${name}`, description] as const),
  ),
);

/** Returns the commands of the page that do something, with their descriptions. */
function commandsOfPage(text: string): Map<string, string> {
  const sections = [...text.matchAll(/^#{3,4} (rostergate\S* .+)\n\n`(.+)`\n\n(.+)$/gm)];
  return new Map(
    sections
      .filter(([, , usage = '']) => !usage.includes('<command>'))
      .map(([, name = '', , said = '']) => [name, said]),
  );
}

/** Returns the words that a program looks commands up by, each with the name of the found command. */
async function loadEntries(app: AppName): Promise<{ typed: string; name: string }[]> {
  const { commands }: { commands: readonly { name: string }[] } = await import(
    join(rootFolder, 'apps', app, 'src/command/commands.ts')
  );
  const program = await loadProgram(app);
  return commands.map(({ name: typed }, index) => ({ typed, name: program.commands[index]?.name() ?? 'nothing' }));
}

const findMisled = (entries: readonly { typed: string; name: string }[]) =>
  entries.filter(({ typed, name }) => typed !== name).map(({ typed, name }) => `${typed} leads to ${name}`);

const check = (text: string, known: ReadonlyMap<string, string> = commands) =>
  findMapDrift(['the programs', known], ['the page', commandsOfPage(text)]);

test('pair commands ⇄ docs/commands.md: the page has every command of the three programs, and no other', () => {
  expect(commands.size).toBeGreaterThan(20);
  expect(check(page)).toEqual([]);
});

test('pair commands ⇄ docs/commands.md: the word that is typed leads to the command of that name', async () => {
  expect((await Promise.all(appNames.map(loadEntries))).flatMap((entries) => findMisled(entries))).toEqual([]);
});

test('mutation commands ⇄ docs/commands.md: a word is changed only where commands are looked up', async () => {
  const entries = await loadEntries('scheduling');
  const changed = entries.map((entry) => (entry.typed === 'backup' ? { ...entry, typed: 'copy' } : entry));
  expect(findMisled(changed)).toEqual(['copy leads to backup']);
});

test('mutation commands ⇄ docs/commands.md: a command is added only to a program', () => {
  expect(check(page, new Map([...commands, ['rostergate doctor', 'Finds faults.']]))).toEqual([
    'rostergate doctor is in the programs alone',
  ]);
});

test('mutation commands ⇄ docs/commands.md: a command is renamed on the page', () => {
  expect(check(page.replace('### rostergate validate', '### rostergate verify'))).toEqual([
    'rostergate validate is in the programs alone',
    'rostergate verify is in the page alone',
  ]);
});
