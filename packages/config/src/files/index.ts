export { FileLockError, type FileLockOptions, withFileLock } from './file-lock.ts';
export { makeFolders, removeTemporaries, writeWholeFile } from './whole-file.ts';
