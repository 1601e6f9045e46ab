import { describeTokenStore } from './token-store.contract.ts';
import { createMemoryTokenStore } from './token-store.ts';

describeTokenStore('a store of tokens in memory', async () => {
  const time = { nowMs: 0 };
  return {
    store: createMemoryTokenStore(() => time.nowMs),
    async pass(ms) {
      time.nowMs += ms;
    },
    async close() {},
  };
});
