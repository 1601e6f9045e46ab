import { type FSWatcher, realpathSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type Source, stampOf } from './source.ts';

export interface FileWatcherOptions {
  /** Called when content has changed; not again until the next call of `watch`. */
  readonly onChange: (paths: readonly string[]) => void;
  /** How often the files are checked without system events. */
  readonly pollMs?: number;
  /** Delay after a system event, since an edit is rarely one step. */
  readonly debounceMs?: number;
  /** Subscribes to system events in a folder; undefined when the system supports none. */
  readonly watchFolder?: WatchFolder;
}

export type WatchFolder = (folder: string, onEvent: (name: string | null) => void) => { close(): void } | undefined;

export interface FileWatcher {
  /** Replaces the watched sources. A change is one since they were read. */
  watch(sources: readonly Source[]): void;
  /** Whether an event or a timer is pending. */
  readonly isWatching: boolean;
  close(): void;
}

/**
 * Creates a watcher that notices changed content. System events make it fast; polling makes it reliable where links are
 * swapped, folders replaced or no events exist (network and container file systems). It keeps no process alive.
 */
export function createFileWatcher(options: FileWatcherOptions): FileWatcher {
  const { onChange, pollMs = 400, debounceMs = 50, watchFolder = watchSystemFolder } = options;
  const folders = new Map<string, { close(): void }>();
  let sources: Source[] = [];
  let names: ReadonlySet<string> = new Set();
  let timer: NodeJS.Timeout | undefined;
  let dueMs = Number.POSITIVE_INFINITY;
  let isChecking = false;
  let hasEvent = false;
  let isReported = true;
  let round = 0;

  function schedule(afterMs: number): void {
    const atMs = performance.now() + afterMs;
    if (timer !== undefined && dueMs <= atMs) return;
    clearTimeout(timer);
    dueMs = atMs;
    timer = setTimeout(check, afterMs);
    timer.unref();
  }

  function onEvent(name: string | null): void {
    // Orchestrators swap links whose names begin with two dots on the way to a file.
    if (name !== null && !names.has(name) && !name.startsWith('..') && !sources.some(({ select }) => select?.(name)))
      return;
    hasEvent = true;
    if (!isChecking && !isReported) schedule(debounceMs);
  }

  async function check(): Promise<void> {
    timer = undefined;
    const own = round;
    const before = sources;
    isChecking = true;
    const afterEvent = hasEvent;
    hasEvent = false;
    const now = await Promise.all(before.map((source) => lookAgain(source, afterEvent)));
    if (own !== round) return;
    isChecking = false;
    const changed = now.filter(({ identity }, i) => identity !== before[i]?.identity);
    sources = now;
    if (changed.length === 0) {
      schedule(hasEvent ? debounceMs : pollMs);
      return;
    }
    isReported = true;
    onChange(changed.map(({ path }) => path));
  }

  return {
    watch(next) {
      round++;
      isChecking = false;
      sources = [...next];
      names = new Set(next.map(({ path }) => basename(path)));
      syncFolders(foldersOf(next), folders, (folder) => watchFolder(folder, onEvent));
      isReported = false;
      clearTimeout(timer);
      timer = undefined;
      // An edit since the last check is reported soon.
      schedule(hasEvent ? debounceMs : pollMs);
    },
    get isWatching() {
      return folders.size > 0 || timer !== undefined || isChecking;
    },
    close() {
      round++;
      isReported = true;
      isChecking = false;
      clearTimeout(timer);
      timer = undefined;
      syncFolders(new Set(), folders, () => undefined);
    },
  };
}

async function lookAgain(source: Source, afterEvent: boolean): Promise<Source> {
  // After an event the content is compared: stamps are too coarse for two quick edits.
  if (!afterEvent && !source.isFresh) {
    const { text } = await stampOf(source.path);
    if (text === source.stamp.text) return source;
  }
  return source.look();
}

/** Returns the folders in which an edit shows: those of the paths and of their link targets. */
function foldersOf(sources: readonly Source[]): Set<string> {
  const found = new Set<string>();
  for (const { path, select } of sources) {
    if (select !== undefined) found.add(path);
    found.add(dirname(path));
    try {
      found.add(dirname(realpathSync(path)));
    } catch {
      // Absent: events in its own folder show when it is created.
    }
  }
  return found;
}

function syncFolders(
  wanted: ReadonlySet<string>,
  watched: Map<string, { close(): void }>,
  open: (folder: string) => { close(): void } | undefined,
): void {
  for (const [folder, watcher] of watched) {
    if (wanted.has(folder)) continue;
    watcher.close();
    watched.delete(folder);
  }
  for (const folder of wanted) {
    if (watched.has(folder)) continue;
    const watcher = open(folder);
    if (watcher !== undefined) watched.set(folder, watcher);
  }
}

const watchSystemFolder: WatchFolder = (folder, onEvent) => {
  let watcher: FSWatcher;
  try {
    watcher = watch(folder, { persistent: false }, (_event, name) => onEvent(name));
  } catch {
    // No folder, or no more watches available: polling suffices.
    return undefined;
  }
  watcher.on('error', () => watcher.close());
  return watcher;
};
