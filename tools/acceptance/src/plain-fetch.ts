/** The original fetch, for callers that check the responses themselves; loaded before `watch-fetch.ts` replaces it. */
export const plainFetch = globalThis.fetch;
