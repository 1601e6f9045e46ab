import { exitCodeMeanings } from '@rostergate/runtime/command';
import type { Command, Option } from 'commander';

/** The page on the command line, from the tree of commands itself. */
export function emitCommandsDoc(program: Command): string {
  const name = program.name();
  const list = program.commands.map(
    (command) => `| [\`${command.name()}\`](#${name}-${command.name()}) | ${command.summary()} |`,
  );
  return `# The command \`${name}\`

${program.description()}

| command | what it does |
|---|---|
${list.join('\n')}

\`${name} --version\` shows the version, \`${name} help <command>\` the options of a command. With \`--json\` a command prints
one JSON value on stdout, also when it fails: \`{ "error": { "exit_code", "message", "faults" } }\`. Tables and colours are
for terminals: piped, a table is a line a row with tabs between the columns. \`NO_COLOR\` and \`FORCE_COLOR\` are honoured.

## Exit codes

| code | what it means |
|---|---|
${exitCodeMeanings.map(([code, meaning]) => `| ${code} | ${meaning} |`).join('\n')}

${program.commands.map((command) => section(command, name, 2)).join('\n')}`;
}

function section(command: Command, parents: string, level: number): string {
  const whole = `${parents} ${command.name()}`;
  const words = command.registeredArguments.map((argument) => {
    const text = argument.variadic ? `${argument.name()}…` : argument.name();
    return argument.required ? ` <${text}>` : ` [${text}]`;
  });
  const isGroup = command.commands.length > 0;
  const usage = `${whole}${words.join('')}${isGroup ? ' <command>' : ''} [options]`;
  const options = command.options.filter((option) => !option.hidden && option.helpGroupHeading !== 'Settings:');
  const hasSettings = command.options.some((option) => option.helpGroupHeading === 'Settings:');
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
    hasSettings ? 'Every setting has an option as well: see [configuration.md](configuration.md#settingsjson).\n' : '',
    ...command.commands.map((inner) => section(inner, whole, level + 1)),
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
