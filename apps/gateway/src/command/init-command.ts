import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { CommandFailure, exitCodes, withFileLock } from '@rostergate/runtime/command';
import { addKey, type RawKeysFile, readKeysFileStore } from '@rostergate/runtime/keys';
import { mintKey, showKey } from '@rostergate/runtime/keys-command';
import { Command } from 'commander';
import { readKeysFile } from '../keys-file.ts';
import type { CommandContext } from './command-context.ts';
import { createProjectFiles, readConfigurationTemplate } from './configuration-template.ts';
import { filesInTheWay, type NewFile, writeAllFiles } from './write-all-files.ts';

/** `rostergate init` */
export function createInitCommand(context: CommandContext): Command {
  const { terminal } = context;
  return new Command('init')
    .description(
      'Writes a working configuration: settings.json, endpoints.json, keys.json with a fresh key that is shown once, and a service of your own in services/hello.ts. Also package.json and tsconfig.json, unless they are there: after npm install, editors and npx tsc know the types of services.',
    )
    .argument('[folder]', 'where to write it', '.')
    .option('--force', 'replace files that are there; keys in keys.json are kept')
    .option('--json', 'print what was written, and the key, as JSON')
    .action(async (folder: string, { force = false, json = false }: { force?: boolean; json?: boolean }) => {
      const step = () => writeConfiguration(context, folder, force);
      const lock = join(folder, 'keys.json.lock');
      // Whoever creates a key at this moment must not lose it.
      const { key, entry, files, isInstalled } = force && existsSync(folder) ? await withFileLock(lock, step) : step();
      const told = describeStart(folder, files, { keyName: entry.name, isInstalled });
      const extra = { folder, files: files.map(({ path }) => path) };
      showKey(terminal, { key, entry, toJson, told, wantsJson: json, extra });
    });
}

function writeConfiguration({ clock, random, version }: CommandContext, folder: string, force: boolean) {
  const { files: plain, keysSchema, isInstalled } = readConfigurationTemplate(folder);
  const keysPath = join(folder, 'keys.json');
  const before = readBefore(keysPath, keysSchema, force);
  const { key, ...minted } = mintKey('rg', random);
  const name = freeName(before, 'first');
  const created_at = new Date(clock()).toISOString();
  const entry = { name, owner: name, ...minted, scopes: [], created_at, expires_at: null, revoked_at: null };
  const keysText = `${JSON.stringify(addKey(before, entry), null, 2)}\n`;
  const files: NewFile[] = [...plain, { path: 'keys.json', text: keysText, mode: 0o600 }];
  const inTheWay = filesInTheWay(folder, files);
  if (inTheWay.length > 0 && !force) throw wouldReplace(folder, inTheWay);
  files.push(...createProjectFiles(folder, { version, isInstalled }));
  writeAllFiles(folder, files);
  return { key, entry, files, isInstalled };
}

/** The keys that are there already: whoever holds one must not be locked out by a new template. */
function readBefore(path: string, $schema: string, force: boolean): RawKeysFile {
  return { $schema, ...(force ? readKeysFileStore({ path, check: readKeysFile }) : { keys: [] }) };
}

/** The new key has no scopes yet. */
const toJson = () => ({ scopes: [] });

function freeName({ keys }: RawKeysFile, wanted: string): string {
  const taken = new Set(keys.map(({ name }) => name));
  let name = wanted;
  for (let i = 2; taken.has(name); i++) name = `${wanted}-${i}`;
  return name;
}

const thereAlready = 'It is there already: move it away, name another folder, or replace it with --force.';

function wouldReplace(folder: string, paths: readonly string[]): CommandFailure {
  const list = paths.map((path) => `  ${join(folder, path)}`).join('\n');
  const [these, them] = paths.length === 1 ? ['This is', 'it'] : ['These are', 'them'];
  return new CommandFailure(
    `Nothing was written. ${these} there already:\n${list}\nMove ${them} away, name another folder, or replace ${them} with --force.`,
    exitCodes.faulty,
    { faults: paths.map((path) => ({ where: join(folder, path), field: '', detail: thereAlready })) },
  );
}

interface Started {
  readonly keyName: string;
  readonly isInstalled: boolean;
}

/** A package.json that was there already does not name this package. */
function installCommand(files: readonly NewFile[]): string {
  return files.some(({ path }) => path === 'package.json') ? 'npm install' : 'npm install rostergate';
}

function describeStart(folder: string, files: readonly NewFile[], { keyName, isInstalled }: Started): string {
  const shown = relative('', folder) || '.';
  const enter = shown === '.' ? [] : [`  cd ${shown}`];
  return [
    `Written to ${shown}: ${files.map(({ path }) => path).join(', ')}.`,
    '',
    'Next:',
    ...enter,
    ...(isInstalled ? [] : [`  ${installCommand(files)}      (for editors and npx tsc: the types of services)`]),
    '  rostergate serve',
    '  curl "http://127.0.0.1:8000/api/hello?name=Ada"',
    `  curl -H "X-API-Key: $KEY" http://127.0.0.1:8000/api/hello/Ada      (KEY is the key below)`,
    '',
    'http://127.0.0.1:8000/ shows what is served, /docs its documentation. Every edit of these files is live at once.',
    '',
    `The key "${keyName}":`,
  ].join('\n');
}
