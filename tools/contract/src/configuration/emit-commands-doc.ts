import { exitCodeMeanings } from '@rostergate/config/command';
import type { Command, Option } from 'commander';
import { escapeCell } from '../reports/tables.ts';

/** A program, and the link from docs/ to its settings. */
export interface DocumentedProgram {
  readonly program: Command;
  readonly settingsLink: string;
}

/** Returns the page on the command lines, from the programs' own commands. */
export function emitCommandsDoc(programs: readonly DocumentedProgram[]): string {
  const list = programs.map(({ program }) => {
    const name = program.name();
    return `| [\`${name}\`](#the-command-${name}) | ${program.description()} |`;
  });
  return `# Commands

| command | description |
|---|---|
${list.join('\n')}

In a checkout, type \`npm run -s rostergate --\`, \`npm run -s scheduling --\` and \`npm run -s staff-proxy --\` in place of these.

\`--version\` shows the version, \`help <command>\` the options of a command. With \`--json\` a command prints one JSON value on
stdout, also when it fails: \`{ "error": { "exit_code", "message", "faults" } }\`. Terminals get tables and colours; pipes get one
tab-separated line per row. \`NO_COLOR\` and \`FORCE_COLOR\` are respected.

## Exit codes

| code | meaning |
|---|---|
${exitCodeMeanings.map(([code, meaning]) => `| ${code} | ${meaning} |`).join('\n')}

${programs.map(programSection).join('\n')}`;
}

function programSection({ program, settingsLink }: DocumentedProgram): string {
  const name = program.name();
  const list = program.commands.map(
    (command) => `| [\`${command.name()}\`](#${name}-${command.name()}) | ${command.summary()} |`,
  );
  return `## The command \`${name}\`

${program.description()}

| command | what it does |
|---|---|
${list.join('\n')}

${program.commands.map((command) => section(command, { parents: name, level: 3, settingsLink })).join('\n')}`;
}

const settingsGroup = 'Settings:';

interface SectionPlace {
  readonly parents: string;
  readonly level: number;
  readonly settingsLink: string;
}

function section(command: Command, place: SectionPlace): string {
  const { parents, level, settingsLink } = place;
  const whole = `${parents} ${command.name()}`;
  const words = command.registeredArguments.map((argument) => {
    const text = argument.variadic ? `${argument.name()}…` : argument.name();
    return argument.required ? ` <${text}>` : ` [${text}]`;
  });
  const isGroup = command.commands.length > 0;
  const usage = `${whole}${words.join('')}${isGroup ? ' <command>' : ''} [options]`;
  const shown = command.options.filter((option) => !option.hidden);
  // The options of all settings are on the page of configuration.
  const takesAll = command.name() === 'serve';
  const options = shown.filter((option) => !takesAll || option.helpGroupHeading !== settingsGroup);
  const parts = [
    `${'#'.repeat(level)} ${whole}\n`,
    `\`${usage}\`\n`,
    `${command.description()}\n`,
    command.registeredArguments.length === 0
      ? ''
      : `| argument | description |\n|---|---|\n${command.registeredArguments
          .map((argument) => `| \`${argument.name()}\` | ${escapeCell(argument.description)} |`)
          .join('\n')}\n`,
    options.length === 0 ? '' : `| option | what it does |\n|---|---|\n${options.map(row).join('\n')}\n`,
    takesAll ? `Every setting that is not a secret is an option as well: see ${settingsLink}.\n` : '',
    ...command.commands.map((inner) => section(inner, { ...place, parents: whole, level: level + 1 })),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function row({ flags, description, defaultValue, mandatory }: Option): string {
  const preset = mandatory ? ' (required)' : defaultValue === undefined ? '' : ` (default: ${String(defaultValue)})`;
  return `| \`${escapeCell(flags)}\` | ${escapeCell(description + preset)} |`;
}
