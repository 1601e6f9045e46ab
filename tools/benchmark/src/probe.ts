import { monitorEventLoopDelay } from 'node:perf_hooks';

/** What is asked of a server being measured, over the channel to whoever started it. */
export type Question = 'watch' | 'pauses' | 'memory' | 'collect' | 'cpu';

/** Since `watch`, in milliseconds: as Node's monitor saw it, and between two turns of the event loop. */
export interface Pauses {
  readonly monitored: number;
  readonly betweenTurns: number;
}

/**
 * Loaded into a server by --import, before anything of its own: it answers about the process and changes nothing in it.
 * `watch` keeps one core busy until `pauses`, as looking at every turn of the loop does.
 */
const answers: Readonly<Record<Question, () => unknown>> = { watch, pauses, memory, collect, cpu };

if (process.send !== undefined) {
  process.on('message', (question: Question) => process.send?.(answers[question]()));
  // Whoever is measured ends when it would have ended.
  process.channel?.unref();
}

let monitor: ReturnType<typeof monitorEventLoopDelay> | undefined;
let longestMs = 0;
let lastMs = 0;

function watch(): true {
  monitor = monitorEventLoopDelay({ resolution: 1 });
  monitor.enable();
  longestMs = 0;
  lastMs = performance.now();
  setImmediate(turn);
  return true;
}

function turn(): void {
  const nowMs = performance.now();
  longestMs = Math.max(longestMs, nowMs - lastMs);
  lastMs = nowMs;
  if (monitor !== undefined) setImmediate(turn);
}

function pauses(): Pauses {
  const monitored = (monitor?.max ?? 0) / 1e6;
  monitor?.disable();
  monitor = undefined;
  return { monitored, betweenTurns: longestMs };
}

/** Resident set size in bytes. */
function memory(): number {
  return process.memoryUsage.rss();
}

function collect(): boolean {
  globalThis.gc?.();
  return globalThis.gc !== undefined;
}

/** Microseconds of CPU so far. */
function cpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
