import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {{ verdict: 'failed' | 'passed at the second try', name: string, lines: string[] }} Failure */

/**
 * Returns how many tests passed and failed: the sum of the summary lines of all vitest runs in a log of turbo, cached
 * runs included, and of the last line of the promises.
 * @param {string} log
 */
export function countTests(log) {
  const text = withoutColours(log);
  const total = { passed: 0, failed: 0 };
  for (const [, passed, ...others] of text.matchAll(
    /^(\d+) (?:held|passed), (\d+) (?:short|failed), (\d+) not run/gm,
  )) {
    total.passed += Number(passed);
    // CI runs every promise: one that was not run is a failure.
    for (const other of others) total.failed += Number(other);
  }
  for (const [, line = ''] of text.matchAll(/^\S+:test:\s+Tests {2}(.*)$/gm)) {
    total.passed += Number(/(\d+) passed/.exec(line)?.[1] ?? 0);
    total.failed += Number(/(\d+) failed/.exec(line)?.[1] ?? 0);
  }
  return total;
}

/**
 * Returns what `name-failures.ts` printed in the runs of a log of turbo, each with the task of its package.
 * @param {string} log
 * @returns {Failure[]}
 */
export function listFailures(log) {
  /** @type {Map<string, Failure>} */
  const latest = new Map();
  /** @type {Failure[]} */
  const found = [];
  for (const line of withoutColours(log).split('\n')) {
    const [, task = '', verdict, title] = /^(\S+:test): (failed|passed at the second try): (.*)$/.exec(line) ?? [];
    if (verdict) {
      const failure = { verdict: /** @type {Failure['verdict']} */ (verdict), name: `${task} ${title}`, lines: [] };
      latest.set(task, failure);
      found.push(failure);
      continue;
    }
    const [, from = '', more] = /^(\S+:test): {3}\| (.*)$/.exec(line) ?? [];
    if (more !== undefined) latest.get(from)?.lines.push(more);
  }
  return found;
}

/** Returns the failures as text: each name, with its error indented below. @param {readonly Failure[]} failures */
export function formatFailures(failures, namesMax = 40) {
  const shown = failures.slice(0, namesMax).map(({ name, lines }) => [name, ...lines.map((line) => `    ${line}`)]);
  const left = failures.length - shown.length;
  return [...shown.flat(), ...(left > 0 ? [`and ${left} more`] : [])].join('\n');
}

/**
 * Returns the slowest tests as text, one line each.
 * @param {readonly import('./log-tests.ts').TimedTest[]} tests
 */
export function formatSlowest(tests, count = 10) {
  const slowest = tests.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, count);
  return slowest
    .map(({ file, blocks, title, durationMs }) => {
      return `${(durationMs / 1_000).toFixed(1).padStart(6)} s  ${[file, ...blocks, title].join(' > ')}`;
    })
    .join('\n');
}

/** @param {string} log */
function withoutColours(log) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removes escape sequences.
  return log.replace(/\x1b\[[0-9;]*m/g, '');
}

/** @param {readonly string[]} folders */
function readTestLogs(folders) {
  const files = folders.filter(existsSync).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.tests.jsonl'))
      .map((name) => join(folder, name)),
  );
  return files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => /** @type {import('./log-tests.ts').TimedTest} */ (JSON.parse(line))),
  );
}

/** Usage: test-logs.mjs count LOG | slowest FOLDER… | failed LOG… | 'passed at the second try' LOG… */
if (process.argv[1] === import.meta.filename) {
  const [command, ...paths] = process.argv.slice(2);
  const readLogs = () => paths.map((path) => readFileSync(path, 'utf8'));
  if (command === 'count') {
    const { passed, failed } = countTests(readLogs().join('\n'));
    console.log(passed, failed);
  } else {
    const text =
      command === 'slowest'
        ? formatSlowest(readTestLogs(paths))
        : formatFailures(
            readLogs()
              .flatMap(listFailures)
              .filter(({ verdict }) => verdict === command),
          );
    if (text !== '') console.log(text);
  }
}
