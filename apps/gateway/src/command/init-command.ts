import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { addKey, type RawKeysFile, readKeysFileStore } from '@rostergate/access/keys';
import { mintKey, showKey } from '@rostergate/access/keys-command';
import { CommandFailure, exitCodes, withFileLock } from '@rostergate/config/command';
import { Command } from 'commander';
import { readKeysFile } from '../sources/read-keys.ts';
import type { CommandContext } from './command-context.ts';
import { createProjectFiles, readConfigurationTemplate } from './configuration-template.ts';
import { existingFiles, type NewFile, writeAllFiles } from './write-all-files.ts';

/** `rostergate init` */
export function createInitCommand(context: CommandContext): Command {
  const { terminal } = context;
  return new Command('init')
    .description(
      'Writes a working configuration: settings.json, endpoints.json, keys.json with a new key that is shown once, and an example service in services/hello.ts. Also package.json and tsconfig.json, unless they exist: after npm install, editors and npx tsc know the types of services.',
    )
    .argument('[folder]', 'the folder to write to', '.')
    .option('--force', 'replace existing files; keys in keys.json are preserved')
    .option('--json', 'print the written files and the key as JSON')
    .action(async (folder: string, { force = false, json = false }: { force?: boolean; json?: boolean }) => {
      const step = () => writeConfiguration(context, folder, force);
      const lock = join(folder, 'keys.json.lock');
      // A key that is created at the same time must not be lost.
      const { key, entry, files, isInstalled } = force && existsSync(folder) ? await withFileLock(lock, step) : step();
      const message = describeStart(folder, files, {
        keyName: entry.name,
        isInstalled,
        program: programOf(context.env),
      });
      const extra = { folder, files: files.map(({ path }) => path) };
      showKey(terminal, { key, entry, toJson, message, wantsJson: json, extra });
    });
}

function writeConfiguration({ clock, random, version }: CommandContext, folder: string, force: boolean) {
  const { files: plain, keysSchema, isInstalled } = readConfigurationTemplate(folder);
  const keysPath = join(folder, 'keys.json');
  const before = readBefore(keysPath, keysSchema, force);
  requireNoPlans(before);
  const { key, ...minted } = mintKey('rg', random);
  const name = freeName(before, 'first');
  const created_at = new Date(clock()).toISOString();
  const entry = { name, owner: name, ...minted, scopes: [], created_at, expires_at: null, revoked_at: null };
  const keysText = `${JSON.stringify(addKey(before, entry), null, 2)}\n`;
  const files: NewFile[] = [...plain, { path: 'keys.json', text: keysText, mode: 0o600 }];
  const existing = existingFiles(folder, files);
  if (existing.length > 0 && !force) throw wouldReplace(folder, existing);
  files.push(...createProjectFiles(folder, { version, isInstalled }));
  writeAllFiles(folder, files);
  return { key, entry, files, isInstalled };
}

/** Returns the existing keys, which stay valid with --force. */
function readBefore(path: string, $schema: string, force: boolean): RawKeysFile {
  return { $schema, ...(force ? readKeysFileStore({ path, check: readKeysFile }) : { keys: [] }) };
}

/** Rejects keys with plans: the new settings have none, so the server would not start. */
function requireNoPlans({ keys }: RawKeysFile): void {
  const names = keys.filter(({ plan, revoked_at }) => plan !== undefined && !revoked_at).map(({ name }) => name);
  if (names.length === 0) return;
  throw new CommandFailure(
    `Nothing was written. The new settings.json would have no plans, but keys in keys.json have plans: ${names.join(', ')}. Choose another folder, or edit settings.json instead.`,
    exitCodes.invalid,
  );
}

/** The new key has no scopes yet. */
const toJson = () => ({ scopes: [] });

function freeName({ keys }: RawKeysFile, wanted: string): string {
  const taken = new Set(keys.map(({ name }) => name));
  let name = wanted;
  for (let i = 2; taken.has(name); i++) name = `${wanted}-${i}`;
  return name;
}

const existsAlready = 'It exists already. Move it away, choose another folder, or replace it with --force.';

function wouldReplace(folder: string, paths: readonly string[]): CommandFailure {
  const list = paths.map((path) => `  ${join(folder, path)}`).join('\n');
  const [exist, them] = paths.length === 1 ? ['This file exists', 'it'] : ['These files exist', 'them'];
  return new CommandFailure(
    `Nothing was written. ${exist} already:\n${list}\nMove ${them} away, choose another folder, or replace ${them} with --force.`,
    exitCodes.invalid,
    { faults: paths.map((path) => ({ where: join(folder, path), field: '', detail: existsAlready })) },
  );
}

interface NextSteps {
  readonly keyName: string;
  readonly isInstalled: boolean;
  /** How the user runs this program. */
  readonly program: string;
}

/** In a checkout, the script of the repository. */
const checkoutProgram = 'npm run -s rostergate --';

/** Returns the command that ran this program, from the variables that npm sets. */
function programOf(env: CommandContext['env']): string {
  if (env.npm_command === 'exec') return 'npx rostergate';
  return env.npm_lifecycle_event === 'rostergate' ? checkoutProgram : 'rostergate';
}

/** Returns the command that installs the types: an existing package.json does not name this package. */
function installCommand(files: readonly NewFile[]): string {
  return files.some(({ path }) => path === 'package.json') ? 'npm install' : 'npm install rostergate';
}

function describeStart(folder: string, files: readonly NewFile[], steps: NextSteps): string {
  const { keyName, isInstalled, program } = steps;
  const shown = relative('', folder) || '.';
  const enter = shown === '.' ? [] : [`  cd ${shown}`];
  const install = isInstalled
    ? []
    : [`  ${installCommand(files)}      (for editors and npx tsc: the types of services)`];
  const isCheckout = program === checkoutProgram;
  return [
    `Written to ${shown}: ${files.map(({ path }) => path).join(', ')}.`,
    '',
    'Next:',
    // In the folder, which is a project of its own, npm does not find the script of the checkout.
    ...(isCheckout ? [`  ${program} serve --config ${shown}`] : [...enter, ...install, `  ${program} serve`]),
    '  curl "http://127.0.0.1:8000/api/hello?name=Ada"',
    `  curl -H "X-API-Key: $KEY" http://127.0.0.1:8000/api/hello/Ada      (KEY is the key below)`,
    '',
    'http://127.0.0.1:8000/ shows the endpoints, /docs their documentation. Edits of these files take effect at once.',
    '',
    `The key "${keyName}":`,
  ].join('\n');
}
