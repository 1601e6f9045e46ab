import { resolve } from 'node:path';
import { KeyEntriesError, type KeyRecord, type ParsedKeysFile, parseKeysFile } from '@rostergate/access/keys';
import { type ConfigFault, faultAt } from '@rostergate/config';
import type { SourceFiles } from '@rostergate/config/reload';
import type { Endpoint, Settings } from '@rostergate/endpoints';
import { createConfigurationSchema, type KeysFile } from '@rostergate/endpoints/configuration';
import { environmentPrefix } from '../settings-file.ts';
import { KeyFileError, type ReadKeyFile, readKeySource } from './key-source.ts';

/** The schema of keys.json, from the contract. */
export const keysFileSchema = createConfigurationSchema<KeysFile>('KeysFile');

/**
 * Parses the text of keys.json.
 * @throws ConfigError with every fault and its position.
 */
export function readKeysFile(text: string, path: string): ParsedKeysFile {
  return parseKeysFile(text, path, keysFileSchema);
}

/** The keys of a configuration. */
export interface KeyRings {
  /** The keys of `api_keys` and keys.json. */
  readonly keys: readonly KeyRecord[];
  /** Returns the endpoint's own keys. */
  readonly ofEndpoint: (endpoint: Endpoint, place: (detail: string) => ConfigFault) => Promise<readonly KeyRecord[]>;
}

/** Reads keys.json and `api_keys`. For a key in both, the entry of keys.json, including its expiry, wins. */
export async function readKeyRings(
  settings: Readonly<Settings>,
  settingsFile: string,
  files: SourceFiles,
): Promise<KeyRings> {
  const listed = await readListed(settings, files);
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

async function readListed(settings: Readonly<Settings>, files: SourceFiles): Promise<readonly KeyRecord[]> {
  const path = resolve(files.folder, settings.keys_file);
  const isNamed = settings.keys_file !== defaultKeysFile;
  const text = await files.text(path, {
    isPrivate: true,
    isIndependent: true,
    neededFor: isNamed ? 'keys_file' : undefined,
  });
  if (text === undefined) return [];
  return (await files.collect(() => readKeysFile(text, files.show(path)).records)) ?? [];
}

/** Returns a reader of key files, whose edits take effect independently of other files. */
export function readIndependent(files: SourceFiles): ReadKeyFile {
  return (path, how) => files.text(path, { ...how, isIndependent: true });
}

const defaultKeysFile = 'keys.json';

function faultInFile({ path, position = 1, message }: KeyFileError, files: SourceFiles): ConfigFault {
  return faultAt({ file: files.show(path), line: position, column: 1 }, 'api_keys', message);
}
