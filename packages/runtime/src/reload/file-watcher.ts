import { type FSWatcher, realpathSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { stampOf } from './file-state.ts';
import type { Source } from './source-files.ts';

export interface FileWatcherOptions {
  /** Content has changed. Nothing more is said until `watch` is called with what was read then. */
  readonly onChange: (paths: readonly string[]) => void;
  /** How often the files are looked at, whatever the system says of them. */
  readonly pollMs?: number;
  /** How long after a sign from the system, for an edit is rarely one step. */
  readonly debounceMs?: number;
  /** Asks the system for signs of edits in a folder; undefined when it cannot give any. */
  readonly watchFolder?: WatchFolder;
}

export type WatchFolder = (folder: string, onSign: (name: string | null) => void) => { close(): void } | undefined;

export interface FileWatcher {
  /** From now on watches these, and only these, against what they were when they were read. */
  watch(sources: readonly Source[]): void;
  /** Whether any sign or timer is waited for. */
  readonly isWatching: boolean;
  close(): void;
}

/**
 * Notices that content has changed, by whatever way of editing. The system's own signs make it quick; looking at each
 * file a few times a second makes it sure, where links are swapped, folders replaced or no signs given (network and
 * container file systems). Keeps no process alive.
 */
export function createFileWatcher(options: FileWatcherOptions): FileWatcher {
  const { onChange, pollMs = 400, debounceMs = 50, watchFolder = watchSystemFolder } = options;
  const folders = new Map<string, { close(): void }>();
  let sources: Source[] = [];
  let names: ReadonlySet<string> = new Set();
  let timer: NodeJS.Timeout | undefined;
  let dueMs = Number.POSITIVE_INFINITY;
  let isChecking = false;
  let hasSign = false;
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

  function onSign(name: string | null): void {
    // The name of a link swapped on the way to a file is not known here, but it begins with dots where that is usual.
    if (name !== null && !names.has(name) && !name.startsWith('..') && !sources.some(({ select }) => select?.(name)))
      return;
    hasSign = true;
    if (!isChecking && !isReported) schedule(debounceMs);
  }

  async function check(): Promise<void> {
    timer = undefined;
    const own = round;
    const looked = sources;
    isChecking = true;
    const isSigned = hasSign;
    hasSign = false;
    const now = await Promise.all(looked.map((source) => lookAgain(source, isSigned)));
    if (own !== round) return;
    isChecking = false;
    const changed = now.filter(({ identity }, i) => identity !== looked[i]?.identity);
    sources = now;
    if (changed.length === 0) {
      schedule(hasSign ? debounceMs : pollMs);
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
      followFolders(foldersOf(next), folders, (folder) => watchFolder(folder, onSign));
      isReported = false;
      clearTimeout(timer);
      timer = undefined;
      // What was edited while nobody looked is not kept waiting.
      schedule(hasSign ? debounceMs : pollMs);
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
      followFolders(new Set(), folders, () => undefined);
    },
  };
}

async function lookAgain(source: Source, isSigned: boolean): Promise<Source> {
  // After a sign the content itself is compared: stamps are too coarse for two edits in one moment.
  if (!isSigned && !source.isFresh) {
    const { text } = await stampOf(source.path);
    if (text === source.stamp.text) return source;
  }
  return source.look();
}

/** The folders in which an edit shows: of the paths themselves, and of what links lead to. */
function foldersOf(sources: readonly Source[]): Set<string> {
  const found = new Set<string>();
  for (const { path, select } of sources) {
    if (select !== undefined) found.add(path);
    found.add(dirname(path));
    try {
      found.add(dirname(realpathSync(path)));
    } catch {
      // Not there now: its own folder tells when it comes.
    }
  }
  return found;
}

function followFolders(
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

const watchSystemFolder: WatchFolder = (folder, onSign) => {
  let watcher: FSWatcher;
  try {
    watcher = watch(folder, { persistent: false }, (_event, name) => onSign(name));
  } catch {
    // No folder, or no more watches to be had: looking does it alone.
    return undefined;
  }
  watcher.on('error', () => watcher.close());
  return watcher;
};
