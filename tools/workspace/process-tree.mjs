import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * @typedef {{ readonly pid: number, readonly parent: number, readonly started: string }} Process `started`
 *   distinguishes a process from a later one with the same id
 */

/**
 * Tracks all descendants of a process, including those whose parent has ended.
 * @param {number} pid is never ended itself
 */
export function createProcessTree(pid) {
  /** @type {Map<number, string>} */
  let known = new Map();

  /** Updates the list of descendants. @returns {Process[]} those that are alive */
  function look() {
    const processes = readProcesses();
    const alive = processes.filter((each) => known.get(each.pid) === each.started);
    const family = new Set([pid, ...alive.map((each) => each.pid)]);
    for (let size = 0; size !== family.size; ) {
      size = family.size;
      for (const each of processes) if (family.has(each.parent)) family.add(each.pid);
    }
    family.delete(pid);
    const found = processes.filter((each) => family.has(each.pid));
    known = new Map(found.map((each) => [each.pid, each.started]));
    return found;
  }

  /**
   * Sends SIGTERM to the children, which pass it on, and SIGKILL to all that are left after `graceMs`.
   * @param {{ graceMs: number, pollMs?: number }} options
   * @returns {Promise<number>} how many were killed
   */
  async function end({ graceMs, pollMs = 50 }) {
    const asked = new Set();
    let forced = 0;
    const deadlineMs = Date.now() + graceMs;
    for (let alive = look(); alive.length > 0; alive = look()) {
      if (Date.now() >= deadlineMs) {
        forced = Math.max(forced, alive.length);
        for (const each of alive) send(each.pid, 'SIGKILL');
      }
      for (const each of alive) {
        // The others have a living parent in the tree, which passes the signal on.
        if (each.parent !== pid && known.has(each.parent)) continue;
        if (!asked.has(each.pid)) send(each.pid, 'SIGTERM');
        asked.add(each.pid);
      }
      await sleep(pollMs);
    }
    return forced;
  }

  return Object.freeze({ look, end });
}

/** Lists all processes except zombies. `ps` is missing on small Linux images, /proc on macOS. */
function readProcesses() {
  return process.platform === 'linux' ? readProc() : readPs();
}

/** @returns {Process[]} */
function readProc() {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      // The command is in brackets and may contain spaces and brackets.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields[0] === 'Z' ? [] : [{ pid: Number(name), parent: Number(fields[1]), started: fields[19] ?? '' }];
    } catch {
      return []; // It ended after the listing.
    }
  });
}

/** @returns {Process[]} */
function readPs() {
  const text = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,state=,lstart='], { encoding: 'utf8' });
  return text.split('\n').flatMap((line) => {
    const [, pid, parent, state = '', started = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*?)\s*$/.exec(line) ?? [];
    return pid === undefined || state.startsWith('Z') ? [] : [{ pid: Number(pid), parent: Number(parent), started }];
  });
}

/** @param {number} pid @param {NodeJS.Signals} signal */
function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has just ended.
  }
}
