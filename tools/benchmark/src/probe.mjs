import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

/**
 * What is asked of a server being measured, over the channel to whoever started it.
 * @typedef {'watch' | 'pauses' | 'memory' | 'collect' | 'cpu' | 'allocated'} Question
 *
 * Since `watch`, in milliseconds: as Node's monitor saw it, and between two turns of the event loop.
 * @typedef {{ readonly monitored: number, readonly betweenTurns: number }} Pauses
 */

/**
 * Loaded into a server by --import, before anything of its own: it answers about the process and changes nothing in it.
 * `watch` keeps one core busy until `pauses`, as looking at every turn of the loop does. No TypeScript: reading that
 * alone would take 15 MB.
 * @type {Readonly<Record<Question, () => unknown>>}
 */
const answers = { watch, pauses, memory, collect, cpu, allocated };

if (process.send !== undefined) {
  process.on('message', (/** @type {Question} */ question) => process.send?.(answers[question]()));
  // Whoever is measured ends when it would have ended.
  process.channel?.unref();
}

/** @type {ReturnType<typeof monitorEventLoopDelay> | undefined} */
let monitor;
let longestMs = 0;
let lastMs = 0;

function watch() {
  monitor = monitorEventLoopDelay({ resolution: 1 });
  monitor.enable();
  longestMs = 0;
  lastMs = performance.now();
  setImmediate(turn);
  return true;
}

function turn() {
  const nowMs = performance.now();
  longestMs = Math.max(longestMs, nowMs - lastMs);
  lastMs = nowMs;
  if (monitor !== undefined) setImmediate(turn);
}

/** @returns {Pauses} */
function pauses() {
  const monitored = (monitor?.max ?? 0) / 1e6;
  monitor?.disable();
  monitor = undefined;
  return { monitored, betweenTurns: longestMs };
}

/** Resident set size in bytes. */
function memory() {
  return process.memoryUsage.rss();
}

/** Whether there was a way to. */
function collect() {
  globalThis.gc?.();
  return globalThis.gc !== undefined;
}

/** Microseconds of CPU so far. */
function cpu() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Bytes of the heap taken so far, given back or not. */
function allocated() {
  return /** @type {{ total_allocated_bytes: number }} */ (/** @type {unknown} */ (getHeapStatistics()))
    .total_allocated_bytes;
}
