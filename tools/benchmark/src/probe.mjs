import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

/**
 * A question of the benchmark to the measured server, over its IPC channel.
 * @typedef {'watch' | 'pauses' | 'memory' | 'collect' | 'cpu' | 'allocated'} Question
 *
 * The longest pauses since `watch` in milliseconds: by Node's monitor, and between two turns of the event loop.
 * @typedef {{ readonly monitored: number, readonly betweenTurns: number }} Pauses
 */

/**
 * Loaded into a server by --import before its own code; reports on the process and changes nothing in it.
 * `watch` keeps one core busy until `pauses`, because it runs at every turn of the event loop. Not TypeScript, because
 * stripping types would take 15 MB.
 * @type {Readonly<Record<Question, () => unknown>>}
 */
const probes = { watch, pauses, memory, collect, cpu, allocated };

if (process.send !== undefined) {
  process.on('message', (/** @type {Question} */ question) => process.send?.(probes[question]()));
  // The channel must not keep the process alive.
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

/** Returns the resident set size in bytes. */
function memory() {
  return process.memoryUsage.rss();
}

/** Collects garbage; returns whether the process can. */
function collect() {
  globalThis.gc?.();
  return globalThis.gc !== undefined;
}

/** Returns the CPU microseconds so far. */
function cpu() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Returns the heap bytes allocated so far, freed or not. */
function allocated() {
  return /** @type {{ total_allocated_bytes: number }} */ (/** @type {unknown} */ (getHeapStatistics()))
    .total_allocated_bytes;
}
