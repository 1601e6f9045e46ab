import { hash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { constants, type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

/** The state of a path. Links are followed. */
export type FileState =
  | { readonly kind: 'file'; readonly bytes: Buffer; readonly exposure: number; readonly stamp: FileStamp }
  | { readonly kind: 'folder'; readonly names: readonly string[]; readonly stamp: FileStamp }
  | { readonly kind: 'absent'; readonly stamp: FileStamp }
  | { readonly kind: 'unreadable'; readonly reason: string; readonly stamp: FileStamp };

/** Identifies a state of a path without reading it, as precisely as the file system allows. */
export interface FileStamp {
  readonly text: string;
  /** When the file or its metadata last changed, in milliseconds since the epoch; -Infinity when absent. */
  readonly changedMs: number;
}

export interface ReadFileOptions {
  /** A longer file is unreadable. */
  readonly bytesMax?: number;
}

const mebibyte = 1024 * 1024;
const absentCodes: ReadonlySet<string> = new Set([
  'ENOENT',
  'ENOTDIR',
  'ENAMETOOLONG',
  'EINVAL',
  'ERR_INVALID_ARG_VALUE',
]);

/** Reads the state of a path; retries while the file changes during the read. Never throws. */
export async function readFileState(
  path: string,
  { bytesMax = 64 * mebibyte }: ReadFileOptions = {},
): Promise<FileState> {
  let handle: FileHandle | undefined;
  try {
    const found = await stat(path, { bigint: true });
    if (found.isDirectory()) return { kind: 'folder', names: (await readdir(path)).sort(), stamp: toStamp(found) };
    // Non-blocking: a pipe without a writer would never open.
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    return await readOpen(handle, bytesMax);
  } catch (error) {
    return failedState(error as NodeJS.ErrnoException);
  } finally {
    await handle?.close();
  }
}

/** Returns the current stamp of a path. Never throws. */
export async function stampOf(path: string): Promise<FileStamp> {
  try {
    return toStamp(await stat(path, { bigint: true }));
  } catch (error) {
    return failedState(error as NodeJS.ErrnoException).stamp;
  }
}

async function readOpen(handle: FileHandle, bytesMax: number): Promise<FileState> {
  for (let attempt = 1; ; attempt++) {
    const before = await handle.stat({ bigint: true });
    const stamp = toStamp(before);
    if (!before.isFile()) return { kind: 'unreadable', reason: 'It is not a regular file.', stamp };
    if (before.size > bytesMax) {
      const reason = `It is larger than ${bytesMax / mebibyte} MiB, the maximum.`;
      return { kind: 'unreadable', reason, stamp };
    }
    const bytes = Buffer.alloc(Number(before.size));
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    const after = toStamp(await handle.stat({ bigint: true }));
    // A file that never stops changing is taken as read.
    if ((after.text === stamp.text && length === bytes.length) || attempt === 5) {
      return { kind: 'file', bytes: bytes.subarray(0, length), exposure: exposureOf(before), stamp };
    }
    await wait(10 * attempt);
  }
}

/**
 * Returns the bits of a file's mode that expose it to other users. The group may read a file of root, which is how
 * orchestrators mount secrets.
 */
export function exposureOf({ mode, uid }: Pick<BigIntStats, 'mode' | 'uid'>, user = process.geteuid?.()): number {
  const isMountedSecret = uid === 0n && user !== 0;
  return Number(mode) & (isMountedSecret ? 0o037 : 0o077);
}

function toStamp(found: BigIntStats): FileStamp {
  const { dev, ino, size, mode, mtimeNs, ctimeNs } = found;
  return {
    text: `${dev}:${ino}:${size}:${mode}:${mtimeNs}:${ctimeNs}`,
    // Any user can set the time of modification, but not this one.
    changedMs: Number(ctimeNs / 1_000_000n),
  };
}

function failedState({ code = 'unknown' }: NodeJS.ErrnoException): FileState {
  const stamp = { text: code, changedMs: Number.NEGATIVE_INFINITY };
  if (absentCodes.has(code)) return { kind: 'absent', stamp: { ...stamp, text: 'absent' } };
  return { kind: 'unreadable', reason: reasons[code] ?? `It cannot be read (${code}).`, stamp };
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'This user cannot read it: give the user that runs the server read permission for it and its folders.',
  EPERM: 'This user cannot read it: give the user that runs the server read permission for it and its folders.',
  ELOOP: 'Its symbolic links form a loop: point them at a file.',
  EMFILE: 'It cannot be read because too many files are open: raise the limit (ulimit -n).',
};

/** Returns the SHA-256 of bytes or text in hexadecimal. */
export function digestOf(content: Uint8Array | string): string {
  return hash('sha256', content, 'hex');
}

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

/** Reads files and folders, and remembers them, so that they can be watched. */
export interface SourceReader {
  /** Reads an absolute path. Each path is read once, so that one reading has one state of a file. */
  read(path: string, options?: ReadOptions): Promise<FileState>;
  /** Returns all sources read so far. */
  readonly sources: () => readonly Source[];
  /** Returns the states read so far, by path, for another process to read instead of the files. */
  readonly states: () => Promise<FileStates>;
  /** Whether the content of a path has been accepted before: a certificate that has expired since is no fault then. */
  readonly isAccepted: (path: string) => boolean;
}

export type FileStates = ReadonlyMap<string, FileState>;

/** Creates a reader of states that another process has read and perhaps accepted. */
export function createStatesReader(states: FileStates, { areAccepted = false } = {}): SourceReader {
  const stamp = { text: 'absent', changedMs: Number.NEGATIVE_INFINITY };
  return createSourceReader(
    (path) => states.get(path) ?? { kind: 'absent', stamp },
    () => areAccepted,
  );
}

type ReadState = (path: string) => FileState | Promise<FileState>;

/** Creates a reader that remembers what it has read. */
export function createSourceReader(
  readState: ReadState = readFileState,
  isAccepted: SourceReader['isAccepted'] = () => false,
): SourceReader {
  const states = new Map<string, Promise<FileState>>();
  const sources = new Map<string, Source>();

  return {
    isAccepted,
    read(path, options = {}) {
      let state = states.get(path);
      if (state === undefined) {
        state = inspect({ path, options, readState }).then(({ state, source }) => {
          if (source.isThere || !options.isGuess) sources.set(path, source);
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

/** How to read a path. */
interface Look {
  readonly path: string;
  readonly options: ReadOptions;
  readonly readState: ReadState;
}

/** Reads a path. Outside of the reader, so that a source references neither its content nor that of others. */
async function inspect(look: Look): Promise<{ state: FileState; source: Source }> {
  const { path, options, readState } = look;
  const readMs = Date.now();
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
