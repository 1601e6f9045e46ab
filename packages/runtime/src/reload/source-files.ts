import { isAbsolute, relative, resolve } from 'node:path';
import type { ConfigFault } from '../config/index.ts';
import { digestOf, type FileStamp, type FileState, readFileState, stampOf } from './file-state.ts';

/** Something that was read: how it looked, and how to look again. Holds no content. */
export interface Source {
  readonly path: string;
  readonly stamp: FileStamp;
  /** Equal for equal content, whatever happened to the file in between. */
  readonly identity: string;
  /** Whether there was a file or a folder. */
  readonly isThere: boolean;
  /** Of a folder the names that count. */
  readonly select?: ((name: string) => boolean) | undefined;
  /** An edit of it takes effect on its own, whatever the other files hold. */
  readonly isIndependent?: boolean | undefined;
  /** Reads the same again. */
  readonly look: () => Promise<Source>;
  /** Written so shortly before it was read that the file system could not tell a later edit from it. */
  readonly isFresh: boolean;
}

export interface ReadOptions {
  /** Who may read the file counts as its content. */
  readonly isPrivate?: boolean;
  /** Do not remember the path when nothing is there: for what may be no path at all, but a secret. */
  readonly isGuess?: boolean;
  /** Of a folder the names that count. */
  readonly select?: (name: string) => boolean;
  /** An edit of the file takes effect on its own, whatever the other files hold. */
  readonly isIndependent?: boolean;
}

export interface SourceReader {
  /** What stands at an absolute path. Each path is read once, so that one reading never holds two states of a file. */
  read(path: string, options?: ReadOptions): Promise<FileState>;
  /** Everything read so far. */
  readonly sources: () => readonly Source[];
  /** What was read there, by path: another process can read the same from it, without these files. */
  readonly states: () => Promise<FileStates>;
}

export type FileStates = ReadonlyMap<string, FileState>;

/** Reads what another process has read. */
export function createStatesReader(states: FileStates): SourceReader {
  const stamp = { text: 'absent', changedMs: Number.NEGATIVE_INFINITY };
  return createSourceReader({ readState: (path) => states.get(path) ?? { kind: 'absent', stamp } });
}

export interface SourceReaderOptions {
  readonly readState?: (path: string) => FileState | Promise<FileState>;
  /** Milliseconds since the epoch, as file systems have them. */
  readonly clock?: () => number;
}

/** Finer than this some file systems do not tell times apart. */
export const freshMs = 100;

/** Reads files and folders and remembers what was read, so that it can be watched. */
export function createSourceReader(options: SourceReaderOptions = {}): SourceReader {
  const { readState = readFileState, clock = Date.now } = options;
  const states = new Map<string, Promise<FileState>>();
  const sources = new Map<string, Source>();

  return {
    read(path, how = {}) {
      let state = states.get(path);
      if (state === undefined) {
        state = inspect(path, how, readState, clock).then(({ state, source }) => {
          if (source.isThere || !how.isGuess) sources.set(path, source);
          return state;
        });
        states.set(path, state);
      }
      return state;
    },
    sources: () => [...sources.values()],
    async states() {
      const found = await Promise.all([...states].map(async ([path, state]) => [path, await state] as const));
      return new Map(found.filter(([path]) => sources.has(path)));
    },
  };
}

type Look = readonly [
  path: string,
  how: ReadOptions,
  readState: NonNullable<SourceReaderOptions['readState']>,
  clock: () => number,
];

/** Apart from any reader, so that what is kept of a file for looking again holds on to nothing that was read. */
async function inspect(...look: Look): Promise<{ state: FileState; source: Source }> {
  const [path, , readState, clock] = look;
  const readMs = clock();
  const state = await readState(path);
  return { state, source: createSource(state, readMs, look) };
}

function createSource(state: FileState, readMs: number, look: Look): Source {
  const [path, how] = look;
  return Object.freeze({
    path,
    stamp: state.stamp,
    identity: identityOf(state, how),
    isThere: state.kind !== 'absent',
    isFresh: readMs - state.stamp.changedMs < freshMs,
    select: how.select,
    isIndependent: how.isIndependent,
    look: () => inspect(...look).then(({ source }) => source),
  });
}

/** Equal when every source of the one is in the other with the same content. */
export function identityOfAll(sources: readonly Source[]): string {
  return digestOf(
    sources
      .map(({ path, identity }) => `${path}\0${identity}`)
      .sort()
      .join('\0\0'),
  );
}

/** Whether any of the files has been touched since it was read. */
export async function haveMoved(sources: readonly Source[]): Promise<boolean> {
  const stamps = await Promise.all(sources.map(({ path }) => stampOf(path)));
  return stamps.some(({ text }, i) => text !== sources[i]?.stamp.text);
}

/** Whether the content of any of the files is no longer what was read. */
export async function haveChanged(sources: readonly Source[]): Promise<boolean> {
  const now = await Promise.all(sources.map((source) => source.look()));
  return now.some(({ identity }, i) => identity !== sources[i]?.identity);
}

function identityOf(state: FileState, { isPrivate = false, select = () => true }: ReadOptions): string {
  if (state.kind === 'file') return digestOf(state.bytes) + (isPrivate ? `:${state.exposure}` : '');
  if (state.kind === 'folder') return digestOf(state.names.filter(select).join('\0'));
  return state.stamp.text;
}

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
