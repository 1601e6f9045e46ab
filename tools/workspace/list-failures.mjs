import { readFileSync } from 'node:fs';

/** @typedef {{ verdict: 'failed' | 'passed at the second try', name: string, lines: string[] }} Failure */

/**
 * What the runs in a log named by `name-failures.ts`, as turbo shows or replays them: each with its package's task.
 * @param {string} log
 * @returns {Failure[]}
 */
export function listFailures(log) {
  /** @type {Map<string, Failure>} */
  const latest = new Map();
  /** @type {Failure[]} */
  const found = [];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is taken out.
  for (const line of log.replace(/\x1b\[[0-9;]*m/g, '').split('\n')) {
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

/** The failures of one verdict as text, a name with what was said below it. @param {readonly Failure[]} failures */
export function formatFailures(failures, namesMax = 40) {
  const shown = failures.slice(0, namesMax).map(({ name, lines }) => [name, ...lines.map((line) => `    ${line}`)]);
  const left = failures.length - shown.length;
  return [...shown.flat(), ...(left > 0 ? [`and ${left} more`] : [])].join('\n');
}

if (process.argv[1] === import.meta.filename) {
  const [verdict, ...files] = process.argv.slice(2);
  const failures = files.flatMap((file) => listFailures(readFileSync(file, 'utf8')));
  const text = formatFailures(failures.filter((failure) => failure.verdict === verdict));
  if (text !== '') console.log(text);
}
