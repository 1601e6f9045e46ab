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
