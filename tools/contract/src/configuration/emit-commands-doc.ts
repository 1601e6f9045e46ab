import { exitCodeMeanings } from '@rostergate/runtime/command';
import type { Command, Option } from 'commander';

/** A program with the place where its settings are described, from docs/. */
export interface DocumentedProgram {
  readonly program: Command;
  readonly settingsLink: string;
}

/** The page on the command lines, from the trees of commands themselves. */
export function emitCommandsDoc(programs: readonly DocumentedProgram[]): string {
  const list = programs.map(({ program }) => {
    const name = program.name();
    return `| [\`${name}\`](#the-command-${name}) | ${program.description()} |`;
  });
  return `# Commands

| command | what it is for |
|---|---|
${list.join('\n')}

\`--version\` shows the version of each, \`help <command>\` the options of one of its commands. With \`--json\` a command prints
one JSON value on stdout, also when it fails: \`{ "error": { "exit_code", "message", "faults" } }\`. Tables and colours are
for terminals: piped, a table is a line a row with tabs between the columns. \`NO_COLOR\` and \`FORCE_COLOR\` are honoured.

## Exit codes

| code | what it means |
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
  // A server takes all of its settings, and they have a page of their own.
  const takesAll = command.name() === 'serve';
  const options = shown.filter((option) => !takesAll || option.helpGroupHeading !== settingsGroup);
  const parts = [
    `${'#'.repeat(level)} ${whole}\n`,
    `\`${usage}\`\n`,
    `${command.description()}\n`,
    command.registeredArguments.length === 0
      ? ''
      : `| argument | what it is |\n|---|---|\n${command.registeredArguments
          .map((argument) => `| \`${argument.name()}\` | ${cell(argument.description)} |`)
          .join('\n')}\n`,
    options.length === 0 ? '' : `| option | what it does |\n|---|---|\n${options.map(row).join('\n')}\n`,
    takesAll ? `Every setting has an option as well, unless it is a secret: see ${settingsLink}.\n` : '',
    ...command.commands.map((inner) => section(inner, { ...place, parents: whole, level: level + 1 })),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function row({ flags, description, defaultValue, mandatory }: Option): string {
  const preset = mandatory ? ' (needed)' : defaultValue === undefined ? '' : ` (default: ${String(defaultValue)})`;
  return `| \`${cell(flags)}\` | ${cell(description)}${cell(preset)} |`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
