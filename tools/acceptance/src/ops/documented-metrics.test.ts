import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { call } from '../call.ts';
import { serverNames } from '../server-names.ts';

const page = readFileSync(new URL('../../../../ops/README.md', import.meta.url), 'utf8');
const [, table = ''] = /\n## What is counted\n(.*?)\n## /s.exec(page) ?? [];

/** The labels of each metric as the page has them. */
const documented = new Map(
  [...table.matchAll(/^\| (`.*?) \| (.*?) ?\| /gm)].flatMap(([, names, labels]) => {
    const all = wordsIn(labels);
    return wordsIn(names).map((name) => [name, all] as const);
  }),
);

function wordsIn(cell = ''): string[] {
  return [...cell.matchAll(/`(\w+)`/g)].map(([, word = '']) => word).sort();
}

/** What Node and the process tell is said in one line of the page. */
const isOfTheProcess = (name: string) => /^(process|nodejs)_/.test(name);

const texts = await Promise.all(
  serverNames.map(async (name) => (await call(name, '/metrics', { headers: { Accept: 'text/plain' } })).text),
);
const told = texts.join('\n');

test('the page lists every metric that a server tells, and no other', () => {
  const names = [...told.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name);
  const own = new Set(names.filter((name) => !isOfTheProcess(name)));
  expect([...documented.keys()].sort()).toEqual([...own].sort());
});

test('the page names the labels that the servers give', () => {
  const faults = [...documented].flatMap(([name, labels]) =>
    [...told.matchAll(new RegExp(`^${name}(?:_bucket)?\\{(.*)\\} `, 'gm'))].flatMap(([sample, given = '']) => {
      const there = [...given.matchAll(/(\w+)="/g)].map(([, label = '']) => label).filter((label) => label !== 'le');
      return there.sort().join() === labels.join() ? [] : [sample];
    }),
  );
  expect(faults).toEqual([]);
});
