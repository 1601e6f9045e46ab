import { resolve } from 'node:path';
import { type CheckedConfiguration, createSourceFiles, readTls, type SourceFiles } from '@rostergate/config/reload';
import { contractDocumentsOf } from '@rostergate/endpoints';
import { readKeySource } from '../key-source.ts';
import { readSettings } from '../settings.ts';
import { readIndependent, readKeyRings } from './read-keys.ts';
import { readServiceModules, toFaults } from './read-services.ts';
import { type Configuration, type ReadSourcesOptions, readSettingsFile, readSources } from './read-sources.ts';
import { areRegistered } from './service-modules.ts';
import type { Edit, TryEdit } from './try-edit.ts';

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
