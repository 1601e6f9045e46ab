import { expect, test } from 'vitest';
import { pages } from './pages.ts';
import { blocksOf } from './read-page.ts';
import { readings } from './readings/index.ts';
import { testReadings } from './test-readings.ts';

testReadings(undefined);

test('every shell block is run by one reading, or says above it why it is not', () => {
  const read = readings.flatMap((reading) => blocksOf(reading).filter(({ language }) => language === 'sh'));
  const faults = pages.flatMap(({ path, blocks }) =>
    blocks.flatMap((block) => {
      if (!['sh', 'shell', 'bash', 'console'].includes(block.language)) return [];
      const times = read.filter((each) => each === block).length;
      const wanted = block.notRun === undefined ? 1 : 0;
      return times === wanted ? [] : [`${path}:${block.line} is run by ${times} readings`];
    }),
  );
  expect(faults).toEqual([]);
});
