import { readFileSync } from 'node:fs';

/**
 * Sums the lines in which each vitest run tells how its tests went, as turbo shows or replays them. The ten or so runs
 * are in one log, so that a run from the cache counts like any other. The promises tell theirs in a last line.
 * @param {string} log
 */
export function countTests(log) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is taken out.
  const text = log.replace(/\x1b\[[0-9;]*m/g, '');
  const total = { passed: 0, failed: 0 };
  for (const [, held, ...others] of text.matchAll(/^(\d+) held, (\d+) short, (\d+) not run/gm)) {
    total.passed += Number(held);
    // Where all are to be run, as in CI, one that was not is a failure.
    for (const other of others) total.failed += Number(other);
  }
  for (const [, line = ''] of text.matchAll(/^\S+:test:\s+Tests {2}(.*)$/gm)) {
    total.passed += Number(/(\d+) passed/.exec(line)?.[1] ?? 0);
    total.failed += Number(/(\d+) failed/.exec(line)?.[1] ?? 0);
  }
  return total;
}

if (process.argv[1] === import.meta.filename) {
  const { passed, failed } = countTests(readFileSync(process.argv[2] ?? 0, 'utf8'));
  console.log(passed, failed);
}
