import { expect, test } from 'vitest';
import type { Exchange, Span } from './exchange-log.ts';
import { type Facts, findViolations } from './invariants.ts';
import type { SeenStream } from './streams.ts';

const key = 'going';
const facts: Facts = {
  edits: [
    { gateway: 0, generation: 1, writtenMs: 0 },
    { gateway: 0, generation: 2, writtenMs: 1_000 },
  ],
  keys: new Map([[key, { validMs: 0, revokedMs: 5_000 }]]),
  limit: { most: 2, fewest: 2, intervalMs: 1_000 },
  slackMs: 0,
  endedMs: 20_000,
};
const stream: SeenStream = {
  ...{ kind: 'events', gateway: 0, key: 'lasting' },
  ...{ openedMs: 0, endedMs: Number.POSITIVE_INFINITY, received: 200 },
};

function exchange(kind: string, sentMs: number, reply: Partial<Exchange['reply']> = {}, about = ''): Exchange {
  const whole = { status: 200, headers: {}, text: '', ...reply };
  return { kind, gateway: 0, about, sentMs, receivedMs: sentMs + 10, reply: whole };
}

function find(exchanges: readonly Exchange[], spans: readonly Span[] = [], streams: readonly SeenStream[] = []) {
  return findViolations({ exchanges, spans, streams }, facts).map((line) => line.replace(/:.*/, ''));
}

const read = (sentMs: number, version: number) => exchange('read', sentMs, { text: `a=${version}` }, 'a');
const write = (sentMs: number, version: number, status = 200) => exchange('write', sentMs, { status }, `a=${version}`);
const generation = (sentMs: number, n: number) => exchange('generation', sentMs, { text: String(n) });
const limited = (sentMs: number, status = 200) => exchange('limited', sentMs, { status });

test.each<[string, Exchange[]]>([
  ['the previous generation just after the next one', [generation(1_050, 2), generation(1_060, 1)]],
  ['a read that began before the write ended', [write(0, 1), read(5, 0)]],
  ['a revoked key until the edit is in force', [exchange('private', 6_900, {}, key)]],
  ['a rejected key that is revoked', [exchange('private', 8_000, { status: 401 }, key)]],
  ['a rejection while the interval is full', [limited(0), limited(1), limited(900, 429)]],
  ['requests an interval apart', [limited(0), limited(1), limited(1_000)]],
])('accepts %s', (_name, exchanges) => {
  expect(find(exchanges)).toEqual([]);
});

test.each<[string, string, Exchange[]]>([
  [
    'an older generation later',
    'a generation is never replaced by an older one',
    [generation(1_050, 2), generation(4_000, 1)],
  ],
  ['a generation not yet written', 'a generation is never replaced by an older one', [generation(500, 2)]],
  ['a stale read', 'a read returns what an earlier write through the gateway stored', [write(0, 1), read(100, 0)]],
  ['another response', 'a response is for its own request', [exchange('forward', 0, { text: '{"id":"b"}' }, 'a')]],
  ['a revoked key later', 'a revoked key is rejected, and a valid one accepted', [exchange('private', 7_100, {}, key)]],
  [
    ...(['a valid key rejected', 'a revoked key is rejected, and a valid one accepted'] as const),
    [exchange('private', 100, { status: 401 }, key)],
  ],
  ['too many requests', 'no interval has more than the limit', [limited(0), limited(1), limited(900)]],
  [
    ...(['a false rejection', 'no request is rejected while fewer than the limit count'] as const),
    [limited(0), limited(500, 429)],
  ],
  [
    ...(['a failure', 'a response is complete and expected, unless a disturbance explains it'] as const),
    [exchange('live', 0, { status: 503 })],
  ],
])('finds %s', (_name, rule, exchanges) => {
  expect(find(exchanges)).toEqual([rule]);
});

const broken = 'a stream has no gap, and ends only with its key, its worker or its gateway';
test.each<[string, Partial<SeenStream>, string[]]>([
  ['a whole stream', {}, []],
  ['a stream of a key that is revoked', { key, endedMs: 7_900 }, []],
  ['a gap', { gap: '2 instead of 1' }, [broken]],
  ['an end without a reason', { endedMs: 10_000 }, [broken]],
  ['silence', { received: 2 }, [broken]],
  ['an open stream of a revoked key', { key }, [broken]],
])('checks %s', (_name, more, expected) => {
  expect(find([], [], [{ ...stream, ...more }])).toEqual(expected);
});

test('a disturbance explains failures of its kind, in its time and at its gateway', () => {
  const failed = exchange('forward', 100, { status: 502 }, 'a');
  const span = { allows: 'upstream', fromMs: 0, toMs: 200 } as const;
  expect(find([failed], [span])).toEqual([]);
  for (const other of [{ allows: 'connections' }, { toMs: 50 }, { gateway: 1 }] as const) {
    expect(find([failed], [{ ...span, ...other }])).toHaveLength(1);
  }
});
