import { hash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { constants, type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

/** What stands at a path. Links are followed. */
export type FileState =
  | { readonly kind: 'file'; readonly bytes: Buffer; readonly exposure: number; readonly stamp: FileStamp }
  | { readonly kind: 'folder'; readonly names: readonly string[]; readonly stamp: FileStamp }
  | { readonly kind: 'absent'; readonly stamp: FileStamp }
  | { readonly kind: 'unreadable'; readonly reason: string; readonly stamp: FileStamp };

/** What tells one state of a path from another without reading it, as far as the file system can tell. */
export interface FileStamp {
  readonly text: string;
  /** When anything about it last changed, in milliseconds since the epoch; -Infinity where there is nothing. */
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

/** Reads what stands at a path, whole and at rest as far as that can be seen. Never throws. */
export async function readFileState(
  path: string,
  { bytesMax = 64 * mebibyte }: ReadFileOptions = {},
): Promise<FileState> {
  let handle: FileHandle | undefined;
  try {
    const found = await stat(path, { bigint: true });
    if (found.isDirectory()) return { kind: 'folder', names: (await readdir(path)).sort(), stamp: toStamp(found) };
    // Without waiting: a pipe that nobody writes to would never open.
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    return await readOpen(handle, bytesMax);
  } catch (error) {
    return failedState(error as NodeJS.ErrnoException);
  } finally {
    await handle?.close();
  }
}

/** The stamp of what stands at a path now. Never throws. */
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
    if (!before.isFile()) return { kind: 'unreadable', reason: 'It is no ordinary file.', stamp };
    if (before.size > bytesMax) {
      const reason = `It is longer than ${bytesMax / mebibyte} MiB, the most that is read.`;
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
    // Somebody who never stops writing is read as he stands.
    if ((after.text === stamp.text && length === bytes.length) || attempt === 5) {
      return { kind: 'file', bytes: bytes.subarray(0, length), exposure: exposureOf(before), stamp };
    }
    await wait(10 * attempt);
  }
}

/**
 * The permissions of a file (bits of its mode) by which it is open to others than whom it is for: its owner, and where
 * that is root, as orchestrators mount a secret, the group that may read it.
 */
export function exposureOf({ mode, uid }: Pick<BigIntStats, 'mode' | 'uid'>, user = process.geteuid?.()): number {
  const isLent = uid === 0n && user !== 0;
  return Number(mode) & (isLent ? 0o037 : 0o077);
}

function toStamp(found: BigIntStats): FileStamp {
  const { dev, ino, size, mode, mtimeNs, ctimeNs } = found;
  return {
    text: `${dev}:${ino}:${size}:${mode}:${mtimeNs}:${ctimeNs}`,
    // The time of modification can be set at will, this one cannot.
    changedMs: Number(ctimeNs / 1_000_000n),
  };
}

function failedState({ code = 'unknown' }: NodeJS.ErrnoException): FileState {
  const stamp = { text: code, changedMs: Number.NEGATIVE_INFINITY };
  if (absentCodes.has(code)) return { kind: 'absent', stamp: { ...stamp, text: 'absent' } };
  return { kind: 'unreadable', reason: reasons[code] ?? `It cannot be read (${code}).`, stamp };
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'It cannot be read by this user: give the user that runs the server the right to read it (and its folders).',
  EPERM: 'It cannot be read by this user: give the user that runs the server the right to read it (and its folders).',
  ELOOP: 'Its links lead in a circle: point them at a file.',
  EMFILE: 'It cannot be read: too many files are open; raise the limit (ulimit -n).',
};

/** SHA-256 of bytes or text, hexadecimal. */
export function digestOf(content: Uint8Array | string): string {
  return hash('sha256', content, 'hex');
}
