import { onTestFinished } from 'vitest';
import type { AtEnd } from './at-end.ts';

export const whenTestEnds: AtEnd = (end) =>
  onTestFinished(async () => {
    await end();
  });
