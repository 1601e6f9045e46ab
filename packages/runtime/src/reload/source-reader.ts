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
