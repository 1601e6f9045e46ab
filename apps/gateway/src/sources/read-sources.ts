import { basename, resolve } from 'node:path';
import type { KeyRecord } from '@rostergate/access/keys';
import {
  type ConfigFault,
  faultAt,
  fieldName,
  type JsonFile,
  parseJsonFile,
  parseJsonFileSteps,
  readFieldsAlone,
} from '@rostergate/config';
import {
  createSourceFiles,
  type ReadConfiguration,
  readTls,
  type SourceFiles,
  type SourceFilesOptions,
  type SourceReader,
} from '@rostergate/config/reload';
import {
  contractDocumentsOf,
  type Endpoint,
  type ParseOptions,
  parseEndpointsSteps,
  type Service,
  type Settings,
} from '@rostergate/endpoints';
import { runInSlices } from '@rostergate/server/steps';
import { findAdminWarnings } from '../admin/admin-settings.ts';
import { findMcpFaults } from '../mcp/mcp-faults.ts';
import { environmentPrefix, readSettings, type SettingsSourceOptions } from '../settings.ts';
import type { UsageConfiguration } from '../usage/usage.ts';
import { findUsageFault, usageOf } from '../usage/usage-settings.ts';
import type { ModuleFault } from './import-error.ts';
import { type KeyRings, readKeyRings } from './read-keys.ts';
import { type ReadServices, readServices } from './read-services.ts';
import { createTlsReader } from './read-upstream-tls.ts';

/** The checked, frozen configuration from files and environment. It contains no keys, only their digests. */
export interface Configuration {
  readonly settings: Readonly<Settings>;
  readonly services: readonly Service[];
  readonly endpoints: readonly Endpoint[];
  /** The keys of `api_keys` and keys.json, for every secured route without keys of its own. */
  readonly keys: readonly KeyRecord[];
  /** The keys of endpoints that replace the global ones, by operationId. */
  readonly endpointKeys: ReadonlyMap<string, readonly KeyRecord[]>;
  /** Both in PEM; undefined for plain HTTP. */
  readonly tls: { readonly certificate: string; readonly key: string } | undefined;
  /** Where usage is stored; undefined when it is not. */
  readonly usage: UsageConfiguration | undefined;
  /** The path of `keys_file`, which the portal edits unless there is a key store. */
  readonly keysPath: string;
}

/** Returns the certificate after an edit, which renews it, but does not switch TLS on or off. */
export function renewedTls(current: Configuration['tls'], next: Configuration['tls']): Configuration['tls'] {
  return current && (next ?? current);
}

export interface ReadSourcesOptions extends Omit<SettingsSourceOptions, 'file'> {
  readonly settingsFile: string;
  /** Whether the user named settings.json: then it must exist; otherwise a missing file means default settings. */
  readonly isSettingsFileNamed?: boolean | undefined;
  /** Reads the files and records their paths, so that they can be watched. */
  readonly reader: SourceReader;
  /** Returns the built-in services. */
  readonly createServices: (settings: Readonly<Settings>) => readonly Service[];
  /** Service modules that were rejected, with the reasons. */
  readonly rejected?: ReadonlyMap<string, readonly ModuleFault[]> | undefined;
  /** Returns whether the running configuration has read the path: then it must still exist. */
  readonly wasRead?: SourceFilesOptions['wasRead'];
  /** Called with messages for the log that are not faults. */
  readonly note?: SourceFilesOptions['note'];
  readonly platform?: SourceFilesOptions['platform'];
}

/** Reads every file of the configuration and loads its services. Returns the configuration, or the faults of all files. */
export async function readSources(options: ReadSourcesOptions): Promise<ReadConfiguration<Configuration>> {
  const { settingsFile, createServices } = options;
  const files = createSourceFiles(options);
  const { settings, named, placeOf } = await readSettingsFile(options, files);
  // Invalid settings are replaced by the defaults, so that the faults of the other files are reported, too.
  const usable = settings ?? readSettings({ env: {} });
  const builtIn = createServices(usable);
  const own = await readServices(usable, builtIn, files, options.rejected);
  const services = Object.freeze([...builtIn, ...own.services]);
  const plans = named && Object.keys(named.plans);
  const rings = await readKeyRings(usable, settingsFile, files, plans);
  const tls = await readTls(usable, files);
  const read = await readEndpointsFile(usable, services, own, rings, files, {
    issuers: named?.jwt_issuers.map(({ name }) => name),
    settings: (['mcp', 'portal'] as const).filter((name) => usable[name] !== undefined),
  });
  if (settings?.mcp !== undefined && read !== undefined && files.faults.length === 0) {
    for (const { path, detail } of await findMcpFaults(settings, read.endpoints)) files.report(placeOf(path, detail));
  }
  const usage = settings && usageOf(settings, files.folder);
  const usageFault = usage && findUsageFault(usage);
  if (usageFault !== undefined) files.report(placeOf(['usage', 'file'], usageFault));
  if (settings === undefined || read === undefined || files.faults.length > 0) return { faults: files.faults };
  for (const warning of findAdminWarnings({ settings, keys: rings.keys, ...read })) files.note(warning);
  const keysPath = resolve(files.folder, settings.keys_file);
  return {
    configuration: Object.freeze({
      settings: withoutKeys(settings),
      services,
      keys: rings.keys,
      tls,
      usage,
      keysPath,
      ...read,
    }),
  };
}

export interface SettingsRead {
  /** Undefined if they are invalid. */
  readonly settings: Readonly<Settings> | undefined;
  /** The settings that other files name; undefined if these are invalid. */
  readonly named: Pick<Settings, 'jwt_issuers' | 'plans'> | undefined;
  /** Returns a fault at a field, for faults that depend on other files. */
  readonly placeOf: (path: readonly (string | number)[], detail: string) => ConfigFault;
}

/** Reads the settings and reports their faults. */
export async function readSettingsFile(
  { settingsFile, isSettingsFileNamed, env, args }: ReadSourcesOptions,
  files: SourceFiles,
): Promise<SettingsRead> {
  const neededFor = isSettingsFileNamed ? 'the path' : undefined;
  const before = files.faults.length;
  const text = await files.text(resolve(settingsFile), { neededFor });
  const isRead = files.faults.length === before;
  const file = text === undefined ? undefined : { path: settingsFile, text };
  const settings = await files.collect(() => readSettings({ env, args, file }));
  const placeOf: SettingsRead['placeOf'] = (path, detail) => {
    const field = fieldName(path);
    const setting = String(path[0]);
    const variable = environmentPrefix + setting.toUpperCase();
    if (args?.[setting] !== undefined) return { where: `option --${setting.replaceAll('_', '-')}`, field, detail };
    if (env[variable]) return { where: `environment ${variable}`, field, detail };
    return faultAt(parseJsonFile(text ?? '{}', settingsFile).locate(path), field, detail);
  };
  if (!isRead) return { settings: undefined, named: undefined, placeOf };
  const sources = { prefix: environmentPrefix, env, args, file };
  return { settings, named: settings ?? readFieldsAlone(readSettings, sources, ['jwt_issuers', 'plans']), placeOf };
}

interface ReadEndpoints {
  readonly endpoints: readonly Endpoint[];
  readonly endpointKeys: ReadonlyMap<string, readonly KeyRecord[]>;
}

/** Reads endpoints.json. A missing file with the default name means no endpoints; a file that is named must exist. */
async function readEndpointsFile(
  settings: Readonly<Settings>,
  services: readonly Service[],
  own: ReadServices,
  rings: KeyRings,
  files: SourceFiles,
  options: ParseOptions,
): Promise<ReadEndpoints | undefined> {
  const path = resolve(files.folder, settings.endpoints_file);
  const isDefault = basename(path) === defaultEndpointsFile;
  const before = files.faults.length;
  const text = await files.text(path, { neededFor: isDefault ? undefined : 'endpoints_file' });
  if (files.faults.length > before) return undefined;
  if (text === undefined) files.note(`${files.show(path)} is not there: no endpoints are served.`);
  const file =
    text === undefined
      ? noFile(path)
      : await files.collect(() => runInSlices(parseJsonFileSteps(text, files.show(path))));
  if (file === undefined) return undefined;
  const documents = new Map<string, string>();
  for (const name of contractDocumentsOf(file.value)) {
    const document = await files.text(resolve(path, '..', name));
    if (document !== undefined) documents.set(name, document);
  }
  const { modules, isExpected, findUnused } = own;
  const { endpoints, faults } = await runInSlices(
    parseEndpointsSteps(file.value, services, documents, { ...options, modules }),
  );
  for (const fault of findUnused(file.value)) files.report(fault);
  for (const { pointer, detail } of faults) {
    const fault = faultAt(file.locate(pointer), fieldName(stepsOf(pointer)), detail);
    if (!isExpected(pointer, file.value)) files.report(fault);
  }
  const withoutKeyText: Endpoint[] = [];
  const endpointKeys = new Map<string, readonly KeyRecord[]>();
  const readTlsOf = createTlsReader(files);
  for (const given of endpoints) {
    const endpoint = await readTlsOf(given);
    if (endpoint.apiKeys === undefined) {
      withoutKeyText.push(endpoint);
      continue;
    }
    endpointKeys.set(
      endpoint.operationId,
      await rings.ofEndpoint(endpoint, (detail) => faultOfKeys(file, endpoint, detail)),
    );
    // The text may contain keys.
    withoutKeyText.push(Object.freeze({ ...endpoint, apiKeys: '' }));
  }
  return { endpoints: Object.freeze(withoutKeyText), endpointKeys };
}

const defaultEndpointsFile = readSettings({ env: {} }).endpoints_file;

function noFile(path: string): JsonFile {
  return { path, value: {}, locate: () => ({ file: path, line: 1, column: 1 }) };
}

function faultOfKeys(file: JsonFile, { method, path }: Endpoint, detail: string): ConfigFault {
  // Other entries may be invalid: their faults are reported separately.
  const list = (file.value as { endpoints: readonly ({ method?: unknown; path?: unknown } | null)[] }).endpoints;
  const i = list.findIndex((given) => {
    const asked = given?.method ?? 'get';
    return given?.path === path && typeof asked === 'string' && asked.toLowerCase() === method;
  });
  const at = ['endpoints', i, 'api_keys'];
  return faultAt(file.locate(at), fieldName(at), detail);
}

/** Removes the text of the keys, which are stored as digests. */
function withoutKeys(settings: Readonly<Settings>): Readonly<Settings> {
  return Object.freeze({ ...settings, api_keys: '' });
}

function stepsOf(pointer: string): (string | number)[] {
  const steps = pointer.split('/').slice(1);
  return steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~')));
}

/** Returns the number of endpoints, services and keys, for logs and reports. */
export function sizesOf({ endpoints, services, keys }: Pick<Configuration, 'endpoints' | 'services' | 'keys'>) {
  return { endpoints: endpoints.length, services: services.length, keys: keys.length };
}
