import { dirname, resolve } from 'node:path';
import {
  KeyEntriesError,
  type KeyRecord,
  type ParsedKeysFile,
  parseKeyEntries,
  parseKeyFile,
  parseKeysFile,
} from '@rostergate/access/keys';
import { type ConfigFault, type Environment, faultAt, takeSecrets } from '@rostergate/config';
import { type FileState, type FileStates, readFileState, type SourceFiles } from '@rostergate/config/reload';
import type { Endpoint, Settings } from '@rostergate/endpoints';
import { createConfigurationSchema, type KeysFile } from '@rostergate/endpoints/configuration';
import { document } from '@rostergate/gateway-spec';
import { environmentPrefix } from '../settings-file.ts';

/** The schema of keys.json, from the contract. */
export const keysFileSchema = () => createConfigurationSchema<KeysFile>('KeysFile');

/**
 * Parses the text of keys.json.
 * @throws ConfigError with every fault and its position.
 */
export function readKeysFile(text: string, path: string, plans?: readonly string[]): ParsedKeysFile {
  return parseKeysFile(text, path, keysFileSchema(), plans);
}

/** The keys of a configuration. */
export interface KeyRings {
  /** The keys of `api_keys` and keys.json. */
  readonly keys: readonly KeyRecord[];
  /** Returns the endpoint's own keys. */
  readonly ofEndpoint: (endpoint: Endpoint, place: (detail: string) => ConfigFault) => Promise<readonly KeyRecord[]>;
}

/**
 * Reads keys.json and `api_keys`. For a key in both, the entry of keys.json, including its expiry, wins. Keys name one
 * of `plans`; any plan is accepted when the plans are unknown.
 */
export async function readKeyRings(
  settings: Readonly<Settings>,
  settingsFile: string,
  files: SourceFiles,
  plans: readonly string[] | undefined,
): Promise<KeyRings> {
  const listed = await readListed(settings, files, plans);
  const byDigest = new Map(listed.map((record) => [record.sha256, record]));
  const known = new Map<string, readonly KeyRecord[]>();

  async function read(text: string, place: (detail: string) => ConfigFault): Promise<readonly KeyRecord[]> {
    const found = known.get(text);
    if (found !== undefined) return found;
    let records: readonly KeyRecord[] = [];
    const faultsBefore = files.faults.length;
    try {
      const plain = await readKeySource(text, files.folder, readIndependent(files));
      records = Object.freeze(plain.map((record) => byDigest.get(record.sha256) ?? record));
    } catch (error) {
      if (!(error instanceof KeyEntriesError)) throw error;
      if (error instanceof KeyFileError) files.report(faultInFile(error, files));
      // A fault of the file, such as that it is a folder, has been reported already.
      else if (files.faults.length === faultsBefore) files.report(place(error.message));
    }
    known.set(text, records);
    return records;
  }

  const global = await read(settings.api_keys, (detail) => ({
    where: `${settingsFile} or ${environmentPrefix}API_KEYS`,
    field: 'api_keys',
    detail,
  }));
  const keys = Object.freeze([...new Set([...listed, ...global])]);
  return { keys, ofEndpoint: (endpoint, place) => read(endpoint.apiKeys ?? '', place) };
}

async function readListed(
  settings: Readonly<Settings>,
  files: SourceFiles,
  plans: readonly string[] | undefined,
): Promise<readonly KeyRecord[]> {
  const path = resolve(files.folder, settings.keys_file);
  const isNamed = settings.keys_file !== defaultKeysFile;
  const text = await files.text(path, {
    isPrivate: true,
    isIndependent: true,
    neededFor: isNamed ? 'keys_file' : undefined,
  });
  if (text === undefined) return [];
  return (await files.collect(() => readKeysFile(text, files.show(path), plans).records)) ?? [];
}

/** Returns a reader of key files, whose edits take effect independently of other files. */
export function readIndependent(files: SourceFiles): ReadKeyFile {
  return (path, how) => files.text(path, { ...how, isIndependent: true });
}

const defaultKeysFile = 'keys.json';

function faultInFile({ path, position = 1, message }: KeyFileError, files: SourceFiles): ConfigFault {
  return faultAt({ file: files.show(path), line: position, column: 1 }, 'api_keys', message);
}

/** Returns the text of a file if it exists. A guessed path may be a key and must not appear in messages. */
export type ReadKeyFile = (path: string, how: { readonly isGuess: boolean }) => Promise<string | undefined>;

/** Thrown for a fault in a file of keys. */
export class KeyFileError extends KeyEntriesError {
  readonly path: string;

  constructor(path: string, { message, position }: KeyEntriesError) {
    super(message, position);
    this.name = 'KeyFileError';
    this.path = path;
  }
}

/**
 * Returns the records of an `api_keys` setting: a comma-separated list, or the path of a file with one key per line,
 * relative to the folder of settings.json or else to the working directory. A value that looks like a path is never a key:
 * a mistyped path must not become a password.
 * @throws KeyEntriesError, or KeyFileError for a fault in the file.
 */
export async function readKeySource(
  text: string,
  folder: string,
  readFile: ReadKeyFile,
): Promise<readonly KeyRecord[]> {
  const { given, isList, isPath, isGuess } = shapeOf(text);
  if (given === '') return [];
  if (isList && !isPath) return parseKeyEntries(given);
  for (const path of given.startsWith('sha256:') ? [] : placesOf(given, folder)) {
    const file = await readFile(path, { isGuess });
    if (file !== undefined) return parseFile(file, path);
  }
  if (isPath) {
    throw new KeyEntriesError(
      'The value looks like a path, but there is no such file, neither in the folder of settings.json nor in the working directory. Write a key with a slash as sha256:<digest>.',
    );
  }
  return parseKeyEntries(given);
}

/**
 * Returns the source with every key replaced by its digest, to be stored and read again later. A path is unchanged, and
 * so is an invalid source, which fails when it is read.
 */
export async function sealKeySource(text: string, folder: string, readFile: ReadKeyFile): Promise<string> {
  const { given, isList, isPath } = shapeOf(text);
  if (given === '' || isPath) return given;
  for (const path of isList ? [] : placesOf(given, folder)) {
    if ((await readFile(path, { isGuess: true })) !== undefined) return given;
  }
  try {
    return parseKeyEntries(given)
      .map(({ sha256 }) => `sha256:${sha256}`)
      .join(',');
  } catch (error) {
    if (error instanceof KeyEntriesError) return given;
    throw error;
  }
}

/** Returns the absolute paths that a relative one may mean, the preferred one first. */
function placesOf(given: string, folder: string): ReadonlySet<string> {
  return new Set([resolve(folder, given), resolve(given)]);
}

function parseFile(text: string, path: string): readonly KeyRecord[] {
  try {
    return parseKeyFile(text);
  } catch (error) {
    throw error instanceof KeyEntriesError ? new KeyFileError(path, error) : error;
  }
}

interface Shape {
  readonly given: string;
  readonly isList: boolean;
  /** Never a key: outside of a list, a slash is enough. */
  readonly isPath: boolean;
  /** Not certainly a path: a base64 key may contain slashes. */
  readonly isGuess: boolean;
}

function shapeOf(text: string): Shape {
  const given = text.trim();
  const isList = given.includes(',');
  const isGuess = !/^(\.{0,2}[\\/]|~[\\/]|[A-Za-z]:[\\/])|\.(txt|keys|list|conf)$/.test(given);
  const isPath = !isGuess || (!isList && /[\\/]/.test(given));
  return { given, isList, isPath, isGuess };
}

/** The schema of settings.json in the contract. */
const contractSettings = document.components?.schemas?.Settings as {
  readonly properties: Readonly<Record<string, { readonly 'x-secret'?: true }>>;
};
const secretNames = Object.entries(contractSettings.properties)
  .filter(([, field]) => field['x-secret'])
  .map(([name]) => environmentPrefix + name.toUpperCase());

/**
 * Removes secrets from the environment of the process, where all code and child processes could read them, and returns
 * a copy for later reads with digests instead of keys.
 */
export async function sealEnvironment(
  env: Record<string, string | undefined>,
  settingsFile: string,
): Promise<Environment> {
  const copy = { ...takeSecrets(env, secretNames) };
  const name = `${environmentPrefix}API_KEYS`;
  const given = copy[name];
  if (given !== undefined) copy[name] = await sealKeySource(given, dirname(resolve(settingsFile)), readFile);
  return Object.freeze(copy);
}

async function readFile(path: string): Promise<string | undefined> {
  const state = await readFileState(path);
  return state.kind === 'file' ? state.bytes.toString('utf8') : undefined;
}

/** Returns the files with digests instead of the keys in settings.json and endpoints.json. */
export async function sealFiles(states: FileStates, settingsFile: string): Promise<FileStates> {
  const folder = dirname(resolve(settingsFile));
  const isFile = async (path: string) => (states.get(path)?.kind === 'file' ? '' : undefined);
  const seal = (text: string) => sealKeySource(text, folder, isFile);
  const sealed = [...states].map(async ([path, state]) => [path, await sealFile(state, seal)] as const);
  return new Map(await Promise.all(sealed));
}

type Seal = (text: string) => Promise<string>;

async function sealFile(state: FileState, seal: Seal): Promise<FileState> {
  if (state.kind !== 'file' || !state.bytes.includes('api_keys')) return state;
  const value = parse(state.bytes.toString('utf8'));
  if (!isRecord(value)) return state;
  const { endpoints } = value;
  const list = Array.isArray(endpoints) ? await Promise.all(endpoints.map((each) => sealEntry(each, seal))) : undefined;
  const sealed = { ...((await sealEntry(value, seal)) as object), ...(list === undefined ? {} : { endpoints: list }) };
  return { ...state, bytes: Buffer.from(JSON.stringify(sealed)) };
}

async function sealEntry(value: unknown, seal: Seal): Promise<unknown> {
  return isRecord(value) && typeof value.api_keys === 'string'
    ? { ...value, api_keys: await seal(value.api_keys) }
    : value;
}

/** Returns undefined for text that is not JSON, such as the code of a service. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
