import { parseArgs } from 'node:util';
import { createProject, findExisting, writeProject } from './project.ts';
import { firstCommands, listNames, type Templates, titleOf } from './template.ts';

/** What a run of the command depends on. */
export interface CreateOptions {
  /** The arguments after the name of the command. */
  readonly args: readonly string[];
  readonly version: string;
  readonly templates: Templates;
  /** Asks a question and returns the answer; rejects when the input ends. Undefined without a terminal. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  print(text: string): void;
  printError(text: string): void;
}

/** Wrong arguments, or a folder that must not be written to: the message says what to do. */
class CreateError extends Error {
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * Runs the command: writes a project from a template and prints the next steps.
 * @returns the exit code: 0, or 1 if files exist or the input ends, or 2 for wrong arguments; nothing is written then
 */
export async function create(options: CreateOptions): Promise<number> {
  try {
    options.print(await run(options));
    return 0;
  } catch (error) {
    if (error instanceof CreateError) options.printError(`create-rostergate: ${error.message}\n`);
    else if ((error as Error).name === 'AbortError') options.printError('\nNothing was written.\n');
    else throw error;
    return error instanceof CreateError ? error.exitCode : 1;
  }
}

async function run({ args, version, templates, ask }: CreateOptions): Promise<string> {
  const given = readArguments(args);
  if (given.help) return usage(templates);
  if (given.version) return `${version}\n`;
  // A program that reads JSON does not answer questions.
  const { folder, template } = await choose(given, templates, given.json ? undefined : ask);
  const files = createProject(templates[template] ?? {}, folder);
  const existing = findExisting(folder, files);
  if (existing.length > 0) {
    throw new CreateError(
      `Nothing was written: ${folder} contains ${existing.join(', ')}. Choose another folder, or move the files away.`,
      1,
    );
  }
  writeProject(folder, files);
  const next = [...(folder === '.' ? [] : [`cd ${quoteForShell(folder)}`]), ...firstCommands(files)];
  if (given.json) return `${JSON.stringify({ folder, template, files: Object.keys(files), next })}\n`;
  const steps = next.map((line) => `  ${line}\n`).join('');
  return `Written to ${folder}: ${Object.keys(files).join(', ')}.\n\nNext:\n${steps}\nREADME.md explains each step.\n`;
}

interface Arguments {
  readonly folder: string | undefined;
  readonly template: string | undefined;
  readonly json: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

function readArguments(args: readonly string[]): Arguments {
  const flag = { type: 'boolean', default: false } as const;
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { template: { type: 'string', short: 't' }, json: flag, help: { ...flag, short: 'h' }, version: flag },
    });
    const [folder, ...more] = positionals;
    if (more.length > 0) throw new TypeError(`Name one folder, not ${positionals.length}.`);
    return { ...values, folder, template: values.template };
  } catch (error) {
    throw new CreateError(`${(error as Error).message} See --help.`, 2);
  }
}

async function choose(
  { folder, template }: Pick<Arguments, 'folder' | 'template'>,
  templates: Templates,
  ask: CreateOptions['ask'],
): Promise<{ readonly folder: string; readonly template: string }> {
  const names = listNames(templates);
  if (template !== undefined && !names.includes(template)) {
    throw new CreateError(`There is no template "${template}". Choose one of ${names.join(', ')}.`, 2);
  }
  if (folder !== undefined && template !== undefined) return { folder, template };
  if (ask === undefined) {
    const example = `npm create rostergate ${folder ?? 'my-api'} -- --template ${template ?? names[0]}`;
    throw new CreateError(`Name a folder and a template, such as ${example}. Templates: ${names.join(', ')}.`, 2);
  }
  return {
    template: template ?? (await askForTemplate(names, templates, ask)),
    folder: folder ?? ((await ask('Folder (my-api): ')).trim() || 'my-api'),
  };
}

/** Asks until the answer is the number or the name of a template. An empty answer is the first one. */
async function askForTemplate(
  names: readonly string[],
  templates: Templates,
  ask: NonNullable<CreateOptions['ask']>,
): Promise<string> {
  const list = names.map((name, i) => `${i + 1}  ${describe(name, templates)}\n`).join('');
  for (let question = `What do you want to create?\n${list}Number or name (1): `; ; question = 'Number or name (1): ') {
    const answer = (await ask(question)).trim();
    const name = answer === '' ? names[0] : names.find((each, i) => each === answer || String(i + 1) === answer);
    if (name !== undefined) return name;
  }
}

function describe(name: string, templates: Templates): string {
  return `${name.padEnd(14)}${titleOf(templates[name] ?? {})}`;
}

function usage(templates: Templates): string {
  const list = listNames(templates).map((name) => `  ${describe(name, templates)}\n`);
  return `Usage: npm create rostergate [folder] -- [--template NAME] [--json]

Writes a small complete project into a folder. Asks for what is missing; without a terminal, both must be given.
Existing files are never replaced.

  -t, --template NAME  one of the templates below
  --json               print folder, template, files and the next commands as JSON; asks nothing
  --version            print the version
  -h, --help           print this help

Templates:
${list.join('')}`;
}

function quoteForShell(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
