import { expect, test } from 'vitest';
import { runInLanes } from './run-in-lanes.ts';

test('as many go on at a time as there are lanes, and what is alone comes last with nothing beside it', async () => {
  const running = new Set<string>();
  const seen: string[] = [];
  const run = async (job: string) => {
    running.add(job);
    seen.push([...running].join('+'));
    for (let turns = job === 'long' ? 20 : 2; turns > 0; turns--) await Promise.resolve();
    running.delete(job);
  };
  await runInLanes(['A', 'long', 'b', 'c', 'B'], { lanes: 2, isAlone: (job) => job < 'a', run });
  expect(seen).toEqual(['long', 'long+b', 'long+c', 'A', 'B']);
});
