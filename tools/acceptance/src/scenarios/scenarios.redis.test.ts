import { expect, test } from 'vitest';
import { createEndings } from '../at-end.ts';
import { runScenario } from './run-scenario.ts';
import { startSubject } from './subject.ts';

test('what must always hold holds while a file is edited and a worker is killed', async () => {
  const { atEnd, end } = createEndings();
  try {
    const subject = await startSubject(atEnd);
    const { violations, exchanges } = await runScenario(subject, { pair: ['reload', 'killed worker'], seed: 'test' });
    expect(violations).toEqual([]);
    expect(exchanges).toBeGreaterThan(100);
  } finally {
    await end();
  }
}, 120_000);
