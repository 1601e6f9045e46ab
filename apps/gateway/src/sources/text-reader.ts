import { createSourceReader, type FileState, type SourceReader } from '@rostergate/runtime/reload';

/** The text of a file by its absolute path; undefined when there is none. */
export type ReadText = (path: string) => string | undefined;

/** The names in a folder by its absolute path; undefined when there is none. */
export type ReadNames = (path: string) => readonly string[] | undefined;

/**
 * A reader of given texts. A configuration that is read through it, its services and their lazy imports included, comes
 * from these texts alone.
 */
export function createTextReader(readText: ReadText, readNames: ReadNames = () => undefined): SourceReader {
  const stamp = { text: 'given', changedMs: Number.NEGATIVE_INFINITY };
  return createSourceReader({
    readState(path): FileState {
      const text = readText(path);
      if (text !== undefined) return { kind: 'file', bytes: Buffer.from(text), exposure: 0, stamp };
      const names = readNames(path);
      return names === undefined ? { kind: 'absent', stamp } : { kind: 'folder', names, stamp };
    },
  });
}
