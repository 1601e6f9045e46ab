import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createTallyCounter } from './tally-counter.ts';

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
