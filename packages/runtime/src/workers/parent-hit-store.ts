import type { DependencyStatus } from '../lifecycle/index.ts';
import type { Hit, HitStore, Verdict } from '../limits/index.ts';
import { type Calls, fromPlainError, type PlainError, toPlainError } from './calls.ts';

/** What became of one hit: its verdict, or why there is none. */
type Counted = Verdict | PlainError;

/**
 * Counts in the process that started this one, so that several count as one. Hits of one turn of the event loop travel
 * together. There is nothing to fall back on: without that process this one ends.
 */
export function createParentHitStore(
  calls: Pick<Calls, 'call'>,
  { windowMs, status }: { readonly windowMs: number; readonly status: () => DependencyStatus },
): HitStore {
  let gathering: { readonly hits: Hit[]; readonly waiting: PromiseWithResolvers<Verdict>[] } | undefined;

  async function send(): Promise<void> {
    const { hits, waiting } = gathering as NonNullable<typeof gathering>;
    gathering = undefined;
    try {
      const counted = await calls.call<readonly Counted[]>('count', hits);
      waiting.forEach(({ resolve, reject }, i) => {
        const one = counted[i] as Counted;
        if ('message' in one) reject(fromPlainError(one));
        else resolve(one);
      });
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }

  return {
    windowMs,
    hit({ keys, limits }) {
      if (gathering === undefined) {
        gathering = { hits: [], waiting: [] };
        setImmediate(send);
      }
      const waiting = Promise.withResolvers<Verdict>();
      gathering.hits.push({ keys, limits });
      gathering.waiting.push(waiting);
      return waiting.promise;
    },
    opened: async () => {},
    status,
    close: async () => {},
  };
}

/** The other end: counts what a worker asks, each hit for itself. */
export async function countForWorker(hits: readonly Hit[], store: HitStore): Promise<readonly Counted[]> {
  const counted: (Counted | Promise<Counted>)[] = hits.map((hit) => {
    try {
      const verdict = store.hit(hit);
      return verdict instanceof Promise ? verdict.catch(toPlainError) : verdict;
    } catch (error) {
      return toPlainError(error);
    }
  });
  return Promise.all(counted);
}
