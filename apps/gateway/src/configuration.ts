import { basename, dirname, resolve } from 'node:path';
import { type Endpoint, parseEndpoints, type Service, type Settings } from '@rostergate/endpoints';
import {
  ConfigError,
  type ConfigFault,
  faultAt,
  fieldName,
  type JsonFile,
  parseJsonFile,
} from '@rostergate/runtime/config';
import { KeyEntriesError, type KeyRecord } from '@rostergate/runtime/keys';
import { type ReadText, readKeySource } from './key-source.ts';
import { environmentPrefix, readSettings, type SettingsSourceOptions } from './settings.ts';

/** Everything that the files and the environment say, read, checked and frozen. */
export interface Configuration {
  readonly settings: Readonly<Settings>;
  readonly services: readonly Service[];
  readonly endpoints: readonly Endpoint[];
  /** Keys that open every secured route. */
  readonly keys: readonly KeyRecord[];
  /** Keys that open one endpoint in place of the global ones, by operationId. */
  readonly endpointKeys: ReadonlyMap<string, readonly KeyRecord[]>;
}

export interface ConfigurationOptions extends Omit<SettingsSourceOptions, 'file'> {
  readonly settingsFile: string;
  /** Somebody named settings.json, so it must be there; otherwise without it every setting is at its default. */
  readonly isSettingsFileNamed?: boolean;
  readonly readText: ReadText;
  readonly createServices: (settings: Readonly<Settings>) => readonly Service[];
}

/**
 * Reads the whole configuration.
 * @throws ConfigError with every fault of every file at once.
 */
export function loadConfiguration(options: ConfigurationOptions): Configuration {
  const { settingsFile, readText, createServices, env, args } = options;
  const faults: ConfigFault[] = [];
  const folder = dirname(resolve(settingsFile));
  const collect = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      faults.push(...error.faults);
      return undefined;
    }
  };

  const text = readText(resolve(settingsFile));
  const file = text === undefined ? undefined : { path: settingsFile, text };
  if (file === undefined && options.isSettingsFileNamed) faults.push(missing(settingsFile));
  const settings = collect(() => readSettings({ env, args, file }));
  // With bad settings the defaults go on, so that the faults of the endpoints are named in the same breath.
  const usable = settings ?? readSettings({ env: {} });
  const services = Object.freeze([...createServices(usable)]);
  const keys = readKeys(usable.api_keys, folder, readText, (detail) =>
    faults.push({ where: `${settingsFile} or ${environmentPrefix}API_KEYS`, field: 'api_keys', detail }),
  );
  const read = collect(() => readEndpointsFile(resolve(folder, usable.endpoints_file), services, readText));
  const endpointKeys = new Map<string, readonly KeyRecord[]>();
  for (const endpoint of read?.endpoints ?? []) {
    if (endpoint.apiKeys === undefined) continue;
    const own = readKeys(endpoint.apiKeys, folder, readText, (detail) =>
      faults.push({ where: usable.endpoints_file, field: `api_keys of ${endpoint.method} ${endpoint.path}`, detail }),
    );
    endpointKeys.set(endpoint.operationId, own);
  }
  if (settings === undefined || read === undefined || faults.length > 0) throw new ConfigError(faults);
  return Object.freeze({ settings, services, endpoints: read.endpoints, keys, endpointKeys });
}

const usualEndpointsFile = readSettings({ env: {} }).endpoints_file;

interface ReadEndpoints {
  readonly endpoints: readonly Endpoint[];
}

/** Without a file of the usual name there are no endpoints; one that somebody named must be there. */
function readEndpointsFile(path: string, services: readonly Service[], readText: ReadText): ReadEndpoints {
  const text = readText(path);
  if (text === undefined && basename(path) !== usualEndpointsFile) throw new ConfigError([missing(path)]);
  const file: JsonFile | undefined = text === undefined ? undefined : parseJsonFile(text, path);
  const { endpoints, faults } = parseEndpoints(file?.value ?? {}, services);
  if (faults.length === 0) return { endpoints };
  throw new ConfigError(
    faults.map(({ pointer, detail }) =>
      file === undefined
        ? { where: 'services', field: '', detail }
        : faultAt(file.locate(pointer), fieldName(stepsOf(pointer)), detail),
    ),
  );
}

function missing(path: string): ConfigFault {
  return { where: path, field: '', detail: 'There is no such file. Write it, or correct the path.' };
}

function stepsOf(pointer: string): (string | number)[] {
  const steps = pointer.split('/').slice(1);
  return steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~')));
}

function readKeys(
  text: string,
  folder: string,
  readText: ReadText,
  report: (detail: string) => void,
): readonly KeyRecord[] {
  try {
    return Object.freeze([...readKeySource(text, folder, readText)]);
  } catch (error) {
    if (!(error instanceof KeyEntriesError)) throw error;
    report(error.message);
    return [];
  }
}
