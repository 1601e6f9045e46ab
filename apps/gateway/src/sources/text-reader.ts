import { createSourceReader, type SourceReader } from '@rostergate/runtime/reload';

/** The text of a file by its absolute path; undefined when there is none. */
export type ReadText = (path: string) => string | undefined;

/** A reader of texts that stand on no disk. */
export function createTextReader(readText: ReadText): SourceReader {
  return createSourceReader({
    readState(path) {
      const text = readText(path);
      const stamp = { text: 'given', changedMs: Number.NEGATIVE_INFINITY };
      return text === undefined
        ? { kind: 'absent', stamp }
        : { kind: 'file', bytes: Buffer.from(text), exposure: 0, stamp };
    },
  });
}
