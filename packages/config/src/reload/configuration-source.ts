import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findTlsPairFault, type TlsPair } from '@rostergate/server/edge';
import { ConfigError, type ConfigFault } from '../config/index.ts';
import type { Reading } from './reloader.ts';
import {
  createSourceReader,
  type FileState,
  type FileStates,
  haveMoved,
  type ReadOptions,
  readFileState,
  type Source,
  type SourceReader,
} from './source.ts';

/** The result of reading the files: the configuration, or the faults of all files. */
export type ReadConfiguration<C> = { readonly configuration: C } | { readonly faults: readonly ConfigFault[] };

/** A configuration, faults, or a configuration that is checked but not loaded. */
export type CheckedConfiguration<C> =
  | ReadConfiguration<C>
  | {
      /** Loads what runs code of the configuration. Called at most once, when the files are at rest. */
      readonly load: () => Promise<ReadConfiguration<C>>;
    };

/** Loads a configuration whose check found no fault. */
export async function loadChecked<C>(checked: CheckedConfiguration<C>): Promise<ReadConfiguration<C>> {
  return 'load' in checked ? checked.load() : checked;
}

export interface ConfigurationSourceOptions<C> {
  /** Places of faults are relative to its folder. */
  readonly settingsFile: string;
  /** Reads every file through the reader; `wasRead`: whether the active configuration has read that path. */
  readonly read: (reader: SourceReader, wasRead: (path: string) => boolean) => Promise<CheckedConfiguration<C>>;
  /** Removes secrets from the content of files, which is stored while it is active. */
  readonly seal?: (states: FileStates) => Promise<FileStates>;
}

/** Reads configurations. */
export interface ConfigurationSource<C> {
  /**
   * Reads all files, except those in `fixed`. `running` are the sources of the active configuration: a file that it had
   * and that is now absent is a fault.
   */
  read(running?: readonly Source[], fixed?: FileStates): Promise<Reading<C>>;
  /** Describes a fault by places alone, relative to the folder of the settings: no content. */
  describeFault(fault: Error): string;
}

export function createConfigurationSource<C>(options: ConfigurationSourceOptions<C>): ConfigurationSource<C> {
  const { seal = async (states) => states } = options;
  const folder = dirname(resolve(options.settingsFile));
  return {
    async read(running = [], fixed) {
      const there = new Set(running.filter(({ isThere }) => isThere).map(({ path }) => path));
      const {
        result: checked,
        sources,
        states,
      } = await readAtRest({
        read: (reader) => options.read(reader, (path) => there.has(path)),
        fixed,
        isDoubtful: (read) => 'faults' in read,
      });
      const result = await loadChecked(checked);
      return 'faults' in result
        ? { sources, fault: new ConfigError(result.faults) }
        : { sources, states: async () => seal(await states()), configuration: result.configuration };
    },
    describeFault(fault) {
      if (!(fault instanceof ConfigError)) return 'The configuration cannot be applied: see the log.';
      const places = fault.faults.map(({ where, field, place }) => {
        const at =
          place === undefined
            ? relativeTo(folder, where)
            : `${relativeTo(folder, place.file)}:${place.line}:${place.column}`;
        return field === '' ? at : `${at} (${field})`;
      });
      const shown = places.slice(0, 10).join(', ');
      return `Faults at ${shown}${places.length > 10 ? ` and ${places.length - 10} more` : ''}; the previous configuration stays active.`;
    },
  };
}

function relativeTo(folder: string, where: string): string {
  // Not every place is a file: some are settings or environment variables.
  return /[\\/]|\.\w+$/.test(where) && !where.includes(' ') ? relative(folder, resolve(where)) || where : where;
}

export interface ReadAtRestOptions<T> {
  readonly read: (reader: SourceReader) => Promise<T>;
  /** The states to use instead of the files at these paths: accepted before. */
  readonly fixed?: FileStates | undefined;
  /** Whether the result may come from a half-finished edit: it is checked again. */
  readonly isDoubtful?: (result: T) => boolean;
  /** How long files must have been unchanged. */
  readonly restMs?: number;
  /** After this time the result is accepted, even while files change. */
  readonly patienceMs?: number;
}

export interface ReadAtRest<T> {
  readonly result: T;
  readonly sources: readonly Source[];
  readonly states: () => Promise<FileStates>;
}

/**
 * Reads files consistently: it reads them again when one changes meanwhile, and waits after a recent write, which more
 * writes may follow.
 */
export async function readAtRest<T>(options: ReadAtRestOptions<T>): Promise<ReadAtRest<T>> {
  const { read, fixed = new Map(), isDoubtful = () => false, restMs = 50, patienceMs = 500 } = options;
  const startedMs = Date.now();
  for (;;) {
    const reader = createSourceReader(
      (path) => fixed.get(path) ?? readFileState(path),
      (path) => fixed.has(path),
    );
    const result = await read(reader);
    const sources = reader.sources();
    const nowMs = Date.now();
    if (nowMs - startedMs >= patienceMs) return { result, sources, states: reader.states };
    const onDisk = sources.filter(({ path }) => !fixed.has(path));
    const youngestMs = Math.max(...onDisk.map(({ stamp }) => stamp.changedMs));
    const isDoubted = isDoubtful(result);
    // A time in the future is of another machine's clock.
    const restedMs = Math.max(0, nowMs - youngestMs);
    if (isDoubted || restedMs < restMs) await wait(isDoubted ? 2 * restMs : restMs - restedMs);
    if (!(await haveMoved(onDisk))) return { result, sources, states: reader.states };
  }
}

/** The files of one reading of the configuration, as texts; an unreadable file is a fault. */
export interface SourceFiles {
  /** The absolute folder of the settings, to which other paths are relative. */
  readonly folder: string;
  readonly faults: readonly ConfigFault[];
  readonly report: (fault: ConfigFault) => void;
  /** Returns the result of parsing a text; undefined when it throws a ConfigError, whose faults are reported. */
  readonly collect: <T>(parse: () => T | Promise<T>) => Promise<T | undefined>;
  /** Returns a path as faults show it: relative if the path of the settings is relative. */
  readonly show: (path: string) => string;
  /** Reads a file by its absolute path; undefined when it is absent or, with a fault, unreadable. */
  readonly text: (path: string, options?: TextOptions) => Promise<string | undefined>;
  /** Reads the names in a folder; undefined when it is absent or, with a fault, unreadable. */
  readonly names: (path: string, select: (name: string) => boolean) => Promise<readonly string[] | undefined>;
  /** Whether the content of a path has been accepted before: a certificate that has expired since is no fault then. */
  readonly isAccepted: SourceReader['isAccepted'];
  /** Records a note for operators. */
  readonly note: (text: string) => void;
}

export interface TextOptions extends ReadOptions {
  /** The setting that names the file, for the fault when the file is absent. */
  readonly neededFor?: string | undefined;
  /** It is a fault if other users may read the file. */
  readonly isPrivate?: boolean;
}

export interface SourceFilesOptions {
  /** Path of the settings file. */
  readonly settingsFile: string;
  readonly reader: SourceReader;
  /** Whether the active configuration has read the path: its absence is then a fault. */
  readonly wasRead?: ((path: string) => boolean) | undefined;
  readonly note?: ((text: string) => void) | undefined;
  /** Permissions are not checked on win32. */
  readonly platform?: string | undefined;
}

export function createSourceFiles(options: SourceFilesOptions): SourceFiles {
  const { settingsFile, reader, wasRead = () => false, note = () => undefined, platform = process.platform } = options;
  const faults: ConfigFault[] = [];
  const report = (fault: ConfigFault) => void faults.push(fault);
  const show = (path: string) => (isAbsolute(settingsFile) ? path : relative('', path) || '.');
  const fail = (path: string, detail: string) => {
    report({ where: show(path), field: '', detail });
    return undefined;
  };

  async function read(path: string, options: ReadOptions): Promise<FileState | undefined> {
    // A path that was a file is no secret, and its return must be noticed.
    const state = await reader.read(path, { ...options, isGuess: options.isGuess === true && !wasRead(path) });
    if (state.kind === 'unreadable') return fail(path, state.reason);
    if (state.kind !== 'absent' || !wasRead(path)) return state;
    return fail(
      path,
      'It was removed while its content is active. Restore it, or restart the server to run without it.',
    );
  }

  return {
    folder: resolve(settingsFile, '..'),
    faults,
    report,
    show,
    isAccepted: reader.isAccepted,
    note,
    async collect(parse) {
      try {
        return await parse();
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        faults.push(...error.faults);
        return undefined;
      }
    },
    async text(path, { neededFor, ...options } = {}) {
      const state = await read(path, options);
      if (state === undefined) return undefined;
      if (state.kind === 'absent') {
        return neededFor === undefined
          ? undefined
          : fail(path, `There is no such file. Write it, or correct ${neededFor}.`);
      }
      if (state.kind !== 'file') {
        // A guessed path may be a folder without being a fault.
        return options.isGuess ? undefined : fail(path, 'It is a folder; a file is required here.');
      }
      if (options.isPrivate && platform !== 'win32' && state.exposure !== 0) {
        fail(path, `Other users may read or change it: run chmod 600 ${quoteForShell(show(path))}`);
      }
      const text = decode(state.bytes);
      return text ?? fail(path, 'It is not UTF-8 text: save it as UTF-8.');
    },
    async names(path, select) {
      const state = await read(path, { select });
      if (state === undefined || state.kind === 'absent') return undefined;
      if (state.kind === 'folder') return state.names.filter(select);
      return fail(path, 'It is a file; a folder is required here.');
    },
  };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function quoteForShell(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

export interface TlsSettings {
  readonly tls_certificate_file: string;
  readonly tls_key_file: string;
}

/** Reads the certificate and its key, and checks that they match; undefined without settings or with a fault. */
export async function readTls(settings: TlsSettings, files: SourceFiles): Promise<TlsPair | undefined> {
  const { tls_certificate_file: certificateFile, tls_key_file: keyFile } = settings;
  if (certificateFile === '' && keyFile === '') return undefined;
  if (certificateFile === '' || keyFile === '') {
    const names = ['tls_certificate_file', 'tls_key_file'];
    const [given, missing] = certificateFile === '' ? names.reverse() : names;
    files.report({
      where: 'settings',
      field: missing as string,
      detail: `It is required with ${given}: TLS needs both.`,
    });
    return undefined;
  }
  const paths = { certificate: resolve(files.folder, certificateFile), key: resolve(files.folder, keyFile) };
  const certificate = await files.text(paths.certificate, { neededFor: 'tls_certificate_file' });
  const key = await files.text(paths.key, { neededFor: 'tls_key_file' });
  if (certificate === undefined || key === undefined) return undefined;
  const nowMs = files.isAccepted(paths.certificate) ? undefined : Date.now();
  const fault = findTlsPairFault({ certificate, key }, nowMs);
  if (fault === undefined) return Object.freeze({ certificate, key });
  files.report({ where: files.show(paths[fault.part]), field: '', detail: fault.detail });
  return undefined;
}
