/** What a file's error says to people: the file, and what is in the way. */
export function describeSystemError(error: NodeJS.ErrnoException): string {
  const { code = 'unknown', path, syscall } = error;
  const remedy = code in remedies ? remedies[code] : `(${syscall}, ${code})`;
  return path === undefined ? error.message : `${path}: ${remedy}`;
}

/** Whether an error came from the system: a file, a socket or a process. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

const remedies: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file or folder.',
  EACCES: 'This user may not do that (EACCES).',
  EPERM: 'This user may not do that (EPERM).',
  EISDIR: 'This is a folder; a file is needed.',
  ENOTDIR: 'Part of the path is a file, not a folder.',
  ENOSPC: 'The disk is full.',
  EROFS: 'The file system cannot be written to.',
};
