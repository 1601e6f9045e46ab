import { setTimeout as wait } from 'node:timers/promises';
import { readFileState } from './file-state.ts';
import { createSourceReader, type FileStates, haveMoved, type Source, type SourceReader } from './source-reader.ts';

export interface ReadAtRestOptions<T> {
  readonly read: (reader: SourceReader) => Promise<T>;
  /** What is read at these paths instead of the files. */
  readonly fixed?: FileStates | undefined;
  /** The result may come of an edit half done: look again before taking it. */
  readonly isDoubtful?: (result: T) => boolean;
  /** How long files must have been left alone. */
  readonly restMs?: number;
  /** After so long what was read is taken, whoever is still writing. */
  readonly patienceMs?: number;
  readonly clock?: () => number;
}

export interface ReadAtRest<T> {
  readonly result: T;
  readonly sources: readonly Source[];
  readonly states: () => Promise<FileStates>;
}

/**
 * Reads files that belong together as they were at one moment: again, when one was touched meanwhile, and not while
 * one has only just been written, for more may follow.
 */
export async function readAtRest<T>(options: ReadAtRestOptions<T>): Promise<ReadAtRest<T>> {
  const {
    read,
    fixed = new Map(),
    isDoubtful = () => false,
    restMs = 50,
    patienceMs = 500,
    clock = Date.now,
  } = options;
  const startedMs = clock();
  for (;;) {
    const reader = createSourceReader({ clock, readState: (path) => fixed.get(path) ?? readFileState(path) });
    const result = await read(reader);
    const sources = reader.sources();
    const nowMs = clock();
    if (nowMs - startedMs >= patienceMs) return { result, sources, states: reader.states };
    const onDisk = sources.filter(({ path }) => !fixed.has(path));
    const youngestMs = Math.max(...onDisk.map(({ stamp }) => stamp.changedMs));
    const isDoubted = isDoubtful(result);
    // A time in the future comes of another machine's clock and says nothing of how long ago it was.
    const restedMs = Math.max(0, nowMs - youngestMs);
    if (isDoubted || restedMs < restMs) await wait(isDoubted ? 2 * restMs : restMs - restedMs);
    if (!(await haveMoved(onDisk))) return { result, sources, states: reader.states };
  }
}
