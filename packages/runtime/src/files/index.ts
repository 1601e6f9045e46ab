export { FileLockError, type FileLockOptions, withFileLock } from './file-lock.ts';
export { removeTemporaries, type WholeFileOptions, writeWholeFile } from './whole-file.ts';
