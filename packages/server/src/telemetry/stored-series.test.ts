import { Counter, Histogram, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { writeMetricsText } from './metrics-registry.ts';
import { createDurationHistogram, createTallyCounter } from './stored-series.ts';

it('writes the same histogram as prom-client', async () => {
  const [ours, theirs] = [new Registry(), new Registry()];
  const options = { name: 'time_seconds', help: 'Time.', labelNames: ['target'] };
  const bounds = [0.1, 0.25, 1];
  const histogram = createDurationHistogram({ ...options, bounds, registry: ours });
  const theirHistogram = new Histogram({ ...options, buckets: bounds, registers: [theirs] });
  for (const target of ['a', 'C:\\"b"\n']) {
    const series = histogram.of({ target });
    for (const seconds of [0, 0.1, 0.100_1, 0.25, 0.5, 1, 7]) {
      series.observe(seconds);
      theirHistogram.observe({ target }, seconds);
    }
  }
  expect(await ours.metrics()).toBe(await theirs.metrics());
  expect(String(await writeMetricsText(ours))).toBe(await theirs.metrics());
  const plain = (json: object) =>
    JSON.parse(JSON.stringify(json, (name, value) => (name === 'exemplar' ? undefined : value)));
  expect(plain(await ours.getMetricsAsJSON())).toEqual(plain(await theirs.getMetricsAsJSON()));
});

it('pauses for requests while it writes the series of thousands of routes', async () => {
  const registry = new Registry();
  new Counter({ name: 'seen_total', help: 'Seen.', registers: [registry] }).inc();
  const histogram = createDurationHistogram({ name: 'time_seconds', help: 'Time.', bounds: [1], registry });
  for (let n = 0; n < 1_000; n++) histogram.of({ route: `/${n}` }).observe(n);
  let [pauses, nowMs] = [0, 0];
  const text = await writeMetricsText(registry, { sliceMs: 10, now: () => nowMs++, pause: async () => pauses++ });
  expect(pauses).toBeGreaterThan(50);
  expect(String(text)).toBe(await registry.metrics());
});

it('includes every event once, whenever it is read', async () => {
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
