import { isAbsolute, relative, resolve } from 'node:path';
import type { ConfigFault } from '../config/index.ts';
import type { FileState } from './file-state.ts';
import type { ReadOptions, SourceReader } from './source-reader.ts';

/** The files of one reading of the configuration, as texts; what cannot be read is a fault. */
export interface SourceFiles {
  /** The folder of the settings, absolute: what every other path is relative to. */
  readonly folder: string;
  readonly faults: readonly ConfigFault[];
  readonly report: (fault: ConfigFault) => void;
  /** A path as faults show it: relative when the settings were named so. */
  readonly show: (path: string) => string;
  /** The text of a file by its absolute path; undefined when it is not there or, with a fault, when it cannot be had. */
  readonly text: (path: string, options?: TextOptions) => Promise<string | undefined>;
  /** The names in a folder; undefined when there is none or, with a fault, when it cannot be had. */
  readonly names: (path: string, select: (name: string) => boolean) => Promise<readonly string[] | undefined>;
  /** Notes what all should know who look after this server. */
  readonly note: (text: string) => void;
}

export interface TextOptions extends ReadOptions {
  /** The setting that names the file, for the fault; it must then be there. */
  readonly neededFor?: string | undefined;
  /** A file that others may read is a fault. */
  readonly isPrivate?: boolean;
}

export interface SourceFilesOptions {
  /** Path of the file of settings. */
  readonly settingsFile: string;
  readonly reader: SourceReader;
  /** Whether what runs has read something there: then its absence is no wish but an accident. */
  readonly wasThere?: ((path: string) => boolean) | undefined;
  readonly note?: ((text: string) => void) | undefined;
  /** How permissions are understood: not at all on Windows. */
  readonly platform?: string | undefined;
}

export function createSourceFiles(options: SourceFilesOptions): SourceFiles {
  const { settingsFile, reader, wasThere = () => false, note = () => undefined, platform = process.platform } = options;
  const faults: ConfigFault[] = [];
  const report = (fault: ConfigFault) => void faults.push(fault);
  const show = (path: string) => (isAbsolute(settingsFile) ? path : relative('', path) || '.');
  const fail = (path: string, detail: string) => {
    report({ where: show(path), field: '', detail });
    return undefined;
  };

  async function read(path: string, how: ReadOptions): Promise<FileState | undefined> {
    // What was a file is no secret: its coming back is to be noticed.
    const state = await reader.read(path, { ...how, isGuess: how.isGuess === true && !wasThere(path) });
    if (state.kind === 'unreadable') return fail(path, state.reason);
    if (state.kind !== 'absent' || !wasThere(path)) return state;
    return fail(path, 'It is gone while its content is still served. Put it back, or restart to go on without it.');
  }

  return {
    folder: resolve(settingsFile, '..'),
    faults,
    report,
    show,
    note,
    async text(path, { neededFor, ...how } = {}) {
      const state = await read(path, how);
      if (state === undefined) return undefined;
      if (state.kind === 'absent') {
        return neededFor === undefined
          ? undefined
          : fail(path, `There is no such file. Write it, or correct ${neededFor}.`);
      }
      if (state.kind !== 'file') {
        // Where a path is only guessed at, a folder of that name is no file, and no fault either.
        return how.isGuess ? undefined : fail(path, 'It is a folder; a file is needed here.');
      }
      if (how.isPrivate && platform !== 'win32' && state.exposure !== 0) {
        fail(path, `Others than its owner may read or change it: run chmod 600 ${quoted(show(path))}`);
      }
      const text = decode(state.bytes);
      return text ?? fail(path, 'It is not UTF-8 text: save it as UTF-8.');
    },
    async names(path, select) {
      const state = await read(path, { select });
      if (state === undefined || state.kind === 'absent') return undefined;
      if (state.kind === 'folder') return state.names.filter(select);
      return fail(path, 'It is a file; a folder is needed here.');
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

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
