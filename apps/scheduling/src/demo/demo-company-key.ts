import { createRandom } from './random.ts';

/** The key that the n-th demo company has unless it is given another. */
export const demoCompanyKey = (n: number): string => createRandom(`company key ${n}`).guid();
