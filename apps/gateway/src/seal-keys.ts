import { dirname, resolve } from 'node:path';
import { type Environment, takeSecrets } from '@rostergate/config';
import { type FileState, type FileStates, readFileState } from '@rostergate/config/reload';
import { sealKeySource } from './key-source.ts';
import { environmentPrefix } from './settings-file.ts';

const secretNames = ['API_KEYS', 'REDIS_URL'].map((name) => environmentPrefix + name);

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
