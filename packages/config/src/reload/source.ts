import { digestOf, type FileStamp, type FileState, stampOf } from './file-state.ts';

/** A path that was read: its identity then, and how to read it again. Contains no content. */
export interface Source {
  readonly path: string;
  readonly stamp: FileStamp;
  /** Equal for equal content. */
  readonly identity: string;
  /** Whether the path existed. */
  readonly isThere: boolean;
  /** Selects the relevant names in a folder. */
  readonly select?: ((name: string) => boolean) | undefined;
  /** An edit takes effect on its own, even while other files have faults. */
  readonly isIndependent?: boolean | undefined;
  /** Reads the path again. */
  readonly look: () => Promise<Source>;
  /** Written so shortly before it was read that a later edit may have the same stamp. */
  readonly isFresh: boolean;
}

export interface ReadOptions {
  /** The permissions of the file are part of its identity. */
  readonly isPrivate?: boolean;
  /** Forget the path when it is absent: it may be a secret instead of a path. */
  readonly isGuess?: boolean;
  /** Selects the relevant names in a folder. */
  readonly select?: (name: string) => boolean;
  /** An edit takes effect on its own, even while other files have faults. */
  readonly isIndependent?: boolean;
}

/** The resolution of times on some file systems. */
export const freshMs = 100;

/** How to read a path. */
export interface Look {
  readonly path: string;
  readonly options: ReadOptions;
  readonly readState: (path: string) => FileState | Promise<FileState>;
  readonly clock: () => number;
}

/** Reads a path; the source that it returns references no content. */
export async function inspect(look: Look): Promise<{ state: FileState; source: Source }> {
  const { path, options, readState, clock } = look;
  const readMs = clock();
  const state = await readState(path);
  const source = Object.freeze({
    path,
    stamp: state.stamp,
    identity: identityOf(state, options),
    isThere: state.kind !== 'absent',
    isFresh: readMs - state.stamp.changedMs < freshMs,
    select: options.select,
    isIndependent: options.isIndependent,
    look: () => inspect(look).then(({ source }) => source),
  });
  return { state, source };
}

/** Returns one identity for sources: equal for the same paths with the same content. */
export function identityOfAll(sources: readonly Source[]): string {
  return digestOf(
    sources
      .map(({ path, identity }) => `${path}\0${identity}`)
      .sort()
      .join('\0\0'),
  );
}

/** Whether the stamp of any source has changed since it was read. */
export async function haveMoved(sources: readonly Source[]): Promise<boolean> {
  const stamps = await Promise.all(sources.map(({ path }) => stampOf(path)));
  return stamps.some(({ text }, i) => text !== sources[i]?.stamp.text);
}

/** Whether the content of any source has changed since it was read. */
export async function haveChanged(sources: readonly Source[]): Promise<boolean> {
  const now = await Promise.all(sources.map((source) => source.look()));
  return now.some(({ identity }, i) => identity !== sources[i]?.identity);
}

function identityOf(state: FileState, { isPrivate = false, select = () => true }: ReadOptions): string {
  if (state.kind === 'file') return digestOf(state.bytes) + (isPrivate ? `:${state.exposure}` : '');
  if (state.kind === 'folder') return digestOf(state.names.filter(select).join('\0'));
  return state.stamp.text;
}
