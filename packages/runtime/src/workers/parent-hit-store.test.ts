import { describe, expect, it } from 'vitest';
import { createMemoryHitStore, type Hit, type HitStore } from '../limits/index.ts';
import { Problem } from '../problem/index.ts';
import { countForWorker, createParentHitStore } from './parent-hit-store.ts';

const windowMs = 60_000;

/** Workers that all ask one parent; what travels does so as text. */
function workersOf(store: HitStore, count: number) {
  const asked: number[] = [];
  const call = async <T>(_name: string, hits: unknown): Promise<T> => {
    asked.push((hits as Hit[]).length);
    return JSON.parse(JSON.stringify(await countForWorker(JSON.parse(JSON.stringify(hits)), store)));
  };
  const status = () => ({ status: 'ready' as const });
  return { asked, workers: Array.from({ length: count }, () => createParentHitStore({ call }, { windowMs, status })) };
}

describe('counting in the parent', () => {
  it('admits exactly the limit among all workers', async () => {
    const { workers } = workersOf(createMemoryHitStore({ windowMs, clock: () => 0 }), 4);
    const hit = { keys: ['owner:a'], limits: [60] };
    const verdicts = await Promise.all(Array.from({ length: 1_000 }, (_, i) => workers[i % 4]?.hit(hit)));
    expect(verdicts.filter((verdict) => verdict?.[0]?.isAdmitted).length).toBe(60);
  });

  it('sends the hits of one turn together', async () => {
    const { workers, asked } = workersOf(createMemoryHitStore({ windowMs, clock: () => 0 }), 1);
    await Promise.all(['a', 'b', 'c'].map((key) => workers[0]?.hit({ keys: [key], limits: [1] })));
    expect(asked).toEqual([3]);
  });

  it('passes on that nobody counts, and why a hit may not pass', async () => {
    const refusing: HitStore = {
      ...createMemoryHitStore({ windowMs, clock: () => 0 }),
      hit: ({ keys }) => {
        if (keys[0] === 'open') return [];
        throw new Problem('unavailable', 'Later.', { headers: { 'Retry-After': '1' } });
      },
    };
    const { workers } = workersOf(refusing, 1);
    const [open, closed] = ['open', 'closed'].map((key) => workers[0]?.hit({ keys: [key], limits: [1] }));
    expect(await open).toEqual([]);
    await expect(closed).rejects.toMatchObject({ code: 'unavailable', headers: { 'Retry-After': '1' } });
  });
});
