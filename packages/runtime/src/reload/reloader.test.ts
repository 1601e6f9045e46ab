import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createReloadMetrics } from './reload-metrics.ts';
import { createReloader, type Reading, type ReloadOutcome } from './reloader.ts';
import type { Source } from './source-reader.ts';

/** One source whose content is the text. */
const sourcesOf = (text: string): Source[] => [
  {
    path: '/a',
    identity: text,
    isThere: true,
    isFresh: false,
    stamp: { text, changedMs: 0 },
    select: undefined,
    look: () => Promise.reject(new Error('Nobody looks here.')),
  },
];

function start(options: { apply?: (text: string) => void | Promise<void> } = {}) {
  const file = { text: 'a' };
  const time = { ms: 1_000 };
  const applied: string[] = [];
  const outcomes: ReloadOutcome[] = [];
  const reads: string[] = [];
  const gates: (() => void)[] = [];
  const reloader = createReloader<string>({
    running: sourcesOf('a'),
    async read() {
      const { text } = file;
      reads.push(text);
      return (
        text.startsWith('bad')
          ? { sources: sourcesOf(text), fault: new Error(text) }
          : { sources: sourcesOf(text), configuration: text }
      ) as Reading<string>;
    },
    async apply(text) {
      await options.apply?.(text);
      applied.push(text);
    },
    onOutcome: (outcome) => outcomes.push(outcome),
    describeFault: ({ message }) => `somewhere in ${message}`,
    clock: () => time.ms,
  });
  const reload = (text: string, trigger = 'edit') => {
    file.text = text;
    return reloader.reload(trigger);
  };
  return { reloader, reload, applied, outcomes, reads, time, gates };
}

describe('createReloader', () => {
  it('applies what is good, and does nothing for what runs already', async () => {
    const { reload, applied, outcomes } = start();
    for (const text of ['a', 'b', 'b', 'a']) await reload(text);
    expect(applied).toEqual(['b', 'a']);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['unchanged', 'applied', 'unchanged', 'applied']);
  });

  it('is degraded from the first bad reading to the next good one, be it the one that runs', async () => {
    const { reloader, reload, time, applied } = start();
    expect(reloader.status()).toEqual({ status: 'ready', since: '1970-01-01T00:00:01.000Z' });
    time.ms = 2_000;
    await reload('bad 1');
    time.ms = 3_000;
    await reload('bad 2');
    expect(reloader.status()).toEqual({
      status: 'degraded',
      reason: 'somewhere in bad 2',
      since: '1970-01-01T00:00:02.000Z',
    });
    await reload('a');
    expect(reloader.status()).toMatchObject({ status: 'ready' });
    expect(applied).toEqual([]);
  });

  it('rejects what cannot be put to work, and takes it again once it can be', async () => {
    let isAble = false;
    const { reloader, reload, applied, outcomes } = start({
      apply() {
        if (!isAble) throw new Error('not yet');
      },
    });
    await reload('b');
    expect(outcomes[0]).toMatchObject({ outcome: 'rejected', fault: { message: 'not yet' } });
    expect(reloader.status()).toMatchObject({ status: 'degraded', reason: 'somewhere in not yet' });
    isAble = true;
    await reload('b', 'SIGHUP');
    expect(applied).toEqual(['b']);
    expect(outcomes[1]).toMatchObject({ outcome: 'applied', trigger: 'SIGHUP' });
  });

  it('does one at a time; of what is asked for meanwhile only the newest is done', async () => {
    const gate = Promise.withResolvers<void>();
    let busy = 0;
    const { reload, applied, reads } = start({
      async apply() {
        expect(++busy).toBe(1);
        await gate.promise;
        busy--;
      },
    });
    const all = [reload('b')];
    await Promise.resolve();
    for (const text of ['c', 'd', 'e']) all.push(reload(text));
    gate.resolve();
    await Promise.all(all);
    expect(reads).toEqual(['b', 'e']);
    expect(applied).toEqual(['b', 'e']);
  });

  it('applies nothing once it is closed, and waits for what is under way', async () => {
    const { reloader, reload, applied, outcomes } = start();
    const asked = reload('b');
    await reloader.close();
    await asked;
    await reload('c');
    expect(applied).toEqual([]);
    expect(outcomes).toEqual([]);
  });
});

describe('createReloadMetrics', () => {
  it('counts outcomes, and keeps the time of the last good one', async () => {
    const registry = new Registry();
    let ms = 5_000;
    const count = createReloadMetrics(registry, () => ms);
    ms = 9_000;
    for (const outcome of ['applied', 'rejected', 'rejected'] as const)
      count({ outcome, trigger: 'edit', durationMs: 1 });
    ms = 10_000;
    count({ outcome: 'rejected', trigger: 'edit', durationMs: 1 });
    const text = await registry.metrics();
    expect(text).toContain('config_reloads_total{outcome="applied"} 1');
    expect(text).toContain('config_reloads_total{outcome="rejected"} 3');
    expect(text).toContain('config_reloads_total{outcome="unchanged"} 0');
    expect(text).toContain('config_last_reload_success_timestamp_seconds 9');
  });
});
