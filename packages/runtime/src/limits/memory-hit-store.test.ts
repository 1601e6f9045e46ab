import { describeHitStore } from './hit-store.contract.ts';
import { createMemoryHitStore } from './memory-hit-store.ts';

describeHitStore('a store in memory', {
  numRuns: 300,
  async open() {
    let nowMs = 1_700_000_000_000;
    const store = createMemoryHitStore({ windowMs: 60_000, clock: () => nowMs });
    return {
      store,
      nowMs: () => nowMs,
      pass: async (ms) => {
        nowMs += ms;
      },
      close: () => store.close(),
    };
  },
});
