export { FileLockError, type FileLockOptions, withFileLock } from './file-lock.ts';
export { removeTemporaries, writeWholeFile } from './whole-file.ts';
