import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createDurationHistogram } from './duration-histogram.ts';
import { createTallyCounter } from './tally-counter.ts';

it('tells what was counted whenever it is read, and nothing twice', async () => {
  const registry = new Registry();
  const counter = createTallyCounter({
    name: 'seen_total',
    help: 'Seen.',
    labelNames: ['kind'],
    registers: [registry],
  });
  const [a, b] = [counter.of({ kind: 'a' }), counter.of({ kind: 'b' })];
  a.inc();
  a.inc();
  expect(await registry.metrics()).toContain('seen_total{kind="a"} 2\nseen_total{kind="b"} 0');
  a.inc();
  expect(await registry.metrics()).toContain('seen_total{kind="a"} 3');
  counter.remove(a);
  a.inc();
  b.inc();
  const text = await registry.metrics();
  expect(text).not.toContain('kind="a"');
  expect(text).toContain('seen_total{kind="b"} 1');
});

it('writes a histogram as prom-client does', async () => {
  const [ours, theirs] = [new Registry(), new Registry()];
  const { Histogram } = await import('prom-client');
  const options = { name: 'time_seconds', help: 'How long.', labelNames: ['target'] as const };
  const bounds = [0.1, 0.25, 1];
  const histogram = createDurationHistogram({ ...options, bounds, registry: ours });
  const theirHistogram = new Histogram({ ...options, buckets: bounds, registers: [theirs] });
  for (const target of ['a', 'b']) {
    const series = histogram.of({ target });
    for (const seconds of [0, 0.1, 0.100_1, 0.25, 0.5, 1, 7]) {
      series.observe(seconds);
      theirHistogram.observe({ target }, seconds);
    }
  }
  expect(await ours.metrics()).toBe(await theirs.metrics());
  const plain = (json: object) =>
    JSON.parse(JSON.stringify(json, (name, value) => (name === 'exemplar' ? undefined : value)));
  expect(plain(await ours.getMetricsAsJSON())).toEqual(plain(await theirs.getMetricsAsJSON()));
});
