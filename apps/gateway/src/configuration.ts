import { resolve } from 'node:path';
import { ConfigError } from '@rostergate/config';
import {
  type CheckedConfiguration,
  createSourceFiles,
  createSourceReader,
  loadChecked,
  readTls,
  type SourceFiles,
  type SourceReader,
} from '@rostergate/config/reload';
import { contractDocumentsOf } from '@rostergate/endpoints';
import { readSettings } from './settings.ts';
import { readIndependent, readKeyRings, readKeySource } from './sources/read-keys.ts';
import { readServiceModules, toFaults } from './sources/read-services.ts';
import { type Configuration, type ReadSourcesOptions, readSettingsFile, readSources } from './sources/read-sources.ts';
import { areRegistered } from './sources/service-modules.ts';
import type { Edit, TryEdit } from './sources/try-edit.ts';

export interface ReadEditOptions extends Omit<ReadSourcesOptions, 'rejected'> {
  /** Checks an edit with new service code before the code is loaded; without it, code is loaded unchecked. */
  readonly tryEdit?: TryEdit | undefined;
}

/**
 * Reads and checks the configuration. New service code is loaded into this process only by `load`, after the whole edit
 * has been accepted.
 */
export async function readEdit(given: ReadEditOptions): Promise<CheckedConfiguration<Configuration>> {
  const { tryEdit, ...options } = given;
  if (tryEdit === undefined) return readSources(options);
  const files = createSourceFiles({ ...options, note: undefined });
  const edit = await readAhead(options, files);
  if (edit === undefined) return readSources(options);
  const verdict = await tryEdit(edit);
  const seen = new Set<string>();
  const faults = [
    ...verdict.faults,
    ...toFaults([...verdict.rejected.values()].flat(), files),
    ...(verdict.faults.length === 0 ? files.faults : []),
  ].filter((fault) => {
    const text = JSON.stringify(fault);
    return !seen.has(text) && seen.add(text);
  });
  return faults.length > 0 ? { faults } : { load: () => readSources(options) };
}

/** Reads every file of an edit without running code; undefined if the edit contains no new code. */
async function readAhead(options: ReadSourcesOptions, files: SourceFiles): Promise<Edit | undefined> {
  const { settingsFile, isSettingsFileNamed, env, args, reader, wasRead = () => false } = options;
  const settings = (await readSettingsFile(options, files)) ?? readSettings({ env: {} });
  const modules = await readServiceModules(settings, files);
  if (modules === undefined || areRegistered(modules.entries, modules.graph)) return undefined;
  await readKeyRings(settings, settingsFile, files);
  await readTls(settings, files);
  const path = resolve(files.folder, settings.endpoints_file);
  const value = parse(await files.text(path));
  for (const name of contractDocumentsOf(value)) await files.text(resolve(path, '..', name));
  for (const keys of keysOf(value)) await readKeySource(keys, files.folder, readIndependent(files)).catch(() => []);
  const states = await reader.states();
  return {
    // A plain object, unlike `process.env`: it is sent to another process.
    env: { ...env },
    ...{ settingsFile, isSettingsFileNamed, args, states, ...modules },
    there: [...states.keys()].filter(wasRead),
  };
}

/** Returns undefined for text that is not JSON: the check reports the fault. */
function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/** Returns the key sources of enabled endpoints, any of which may be the name of a file. */
function keysOf(value: unknown): string[] {
  const { endpoints } = (value ?? {}) as { endpoints?: unknown };
  const list = (Array.isArray(endpoints) ? endpoints : []) as ({ api_keys?: unknown; enabled?: unknown } | null)[];
  return list.flatMap((one) => (typeof one?.api_keys === 'string' && one.enabled !== false ? [one.api_keys] : []));
}

export interface ConfigurationOptions extends Omit<ReadEditOptions, 'reader'> {
  /** Reads texts by absolute path, instead of from disk. */
  readonly readText?: ReadText;
  /** Lists folders, beside `readText`; without it, there are no custom services. */
  readonly readNames?: ReadNames;
}

/**
 * Reads the whole configuration once.
 * @throws ConfigError with every fault of every file.
 */
export async function loadConfiguration(given: ConfigurationOptions): Promise<Configuration> {
  const { readText, readNames, ...options } = given;
  const reader = readText === undefined ? createSourceReader() : createTextReader(readText, readNames);
  const read = await loadChecked(await readEdit({ ...options, reader }));
  if ('faults' in read) throw new ConfigError(read.faults);
  return read.configuration;
}

/** Returns the text of a file by absolute path; undefined if there is none. */
export type ReadText = (path: string) => string | undefined;

/** Returns the names in a folder by absolute path; undefined if there is none. */
export type ReadNames = (path: string) => readonly string[] | undefined;

/** Returns a reader of the given texts. A configuration and its services are then read from these texts alone. */
export function createTextReader(readText: ReadText, readNames: ReadNames = () => undefined): SourceReader {
  const stamp = { text: 'given', changedMs: Number.NEGATIVE_INFINITY };
  return createSourceReader((path) => {
    const text = readText(path);
    if (text !== undefined) return { kind: 'file', bytes: Buffer.from(text), exposure: 0, stamp };
    const names = readNames(path);
    return names === undefined ? { kind: 'absent', stamp } : { kind: 'folder', names, stamp };
  });
}
