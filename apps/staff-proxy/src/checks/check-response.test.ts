import { runSteps } from '@rostergate/runtime/steps';
import { proxyDocument } from '@rostergate/staff-spec';
import { describe, expect, it } from 'vitest';
import { type AnswerRule, createAnswerContract } from './response-rules.ts';
import { judgeAnswerSteps, wholeBytesMax } from './check-response.ts';

const findRule = createAnswerContract(proxyDocument);
const list = findRule('listStaffMembers', 200, 'application/json') as AnswerRule;
const page = findRule('listStaffMembers', 200, 'application/json;odata.metadata=minimal') as AnswerRule;
const single = findRule('getStaffMember', 200, 'application/json') as AnswerRule;

const person = (i: number): Record<string, unknown> => ({
  StaffKey: `S-${i}`,
  FirstName: 'Zoë',
  LastName: `a "quoted", [bracketed] {name} \\ ${'x'.repeat(i % 50)}`,
  Fte: 0.5,
  Tags: null,
});
/** Some hundred kilobytes. */
const people = (count = 3_000) => Array.from({ length: count }, (_, i) => person(i));

function judge(rule: AnswerRule, text: string | Uint8Array, chunkBytes = 65_536) {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) chunks.push(bytes.subarray(at, at + chunkBytes));
  return runSteps(judgeAnswerSteps(rule, chunks));
}

describe('judgeAnswerSteps', () => {
  it('finds a sound answer sound, short or long, bare or in an envelope', () => {
    for (const count of [0, 1, 10, 3_000]) {
      expect(judge(list, JSON.stringify(people(count))).outcome).toBe('sound');
      expect(judge(page, JSON.stringify({ '@odata.count': count, value: people(count) })).outcome).toBe('sound');
    }
    expect(judge(single, JSON.stringify(person(1)))).toEqual({ outcome: 'sound', places: [] });
  });

  it('tells where in a long list a fault is', () => {
    for (const at of [0, 1, 700, 1_500, 2_999]) {
      const broken = people();
      (broken[at] as Record<string, unknown>).Fte = 'canary-value';
      const places = [{ pointer: `/${at}/Fte`, detail: 'must be number' }];
      expect(judge(list, JSON.stringify(broken))).toEqual({ outcome: 'broken', places });
      expect(judge(list, JSON.stringify(broken, null, 2), 1_000)).toEqual({ outcome: 'broken', places });
      expect(judge(page, JSON.stringify({ value: broken }))).toEqual({
        outcome: 'broken',
        places: [{ ...places[0], pointer: `/value/${at}/Fte` }],
      });
    }
  });

  it('tells what is wrong around a long list', () => {
    expect(judge(page, JSON.stringify({ value: people(), count: 3 })).places).toEqual([
      { pointer: '/count', detail: 'is not in the contract' },
    ]);
    expect(judge(list, JSON.stringify({ value: people() })).places).toEqual([{ pointer: '', detail: 'must be array' }]);
  });

  it('names a few places of many', () => {
    const { outcome, places } = judge(list, JSON.stringify(people(20_000).map((p) => ({ ...p, Fte: 'x' }))));
    expect([outcome, places.length]).toEqual(['broken', 10]);
  });

  it.each([
    ['nothing', () => ''],
    ['text that breaks off', (text: string) => text.slice(0, -100)],
    ['text that breaks off between elements', (text: string) => text.slice(0, text.lastIndexOf(',{"StaffKey"'))],
    ['a comma too many at the end', (text: string) => text.replace(/\]$/, ',]')],
    ['a comma too many inside', (text: string) => text.replace('},{"StaffKey":"S-1500"', '},,{"StaffKey":"S-1500"')],
    ['a comma too few', (text: string) => text.replace('},{"StaffKey":"S-1500"', '}{"StaffKey":"S-1500"')],
    ['something behind the end', (text: string) => `${text}]`],
    ['a bracket of the other kind', (text: string) => text.replace(/\]$/, '}')],
    ['a byte order mark', (text: string) => `\u{feff}${text}`],
  ])('finds that %s is no JSON, in a short answer and in a long one', (_, spoil) => {
    for (const count of [2_000, 3]) {
      const text = spoil(JSON.stringify(people(count)).replace('"S-2"', '"S-1500"'));
      if (count === 3 && JSON.stringify(people(3)) === text) continue;
      const verdict = judge(list, text);
      expect(verdict).toMatchObject({ outcome: 'broken', places: [{ pointer: '', detail: 'is no JSON' }] });
    }
  });

  it('finds bytes that are no UTF-8', () => {
    const bytes = Buffer.from(JSON.stringify(people()));
    bytes[bytes.lastIndexOf('x')] = 0xff;
    expect(judge(list, bytes)).toMatchObject({ outcome: 'broken', places: [{ detail: 'is no JSON' }] });
  });

  it('judges a long list as a short one is judged, whatever is changed in it', () => {
    const text = JSON.stringify(people(400));
    expect(text.length).toBeLessThan(wholeBytesMax);
    const pad = JSON.stringify(people(1_500)).slice(1, -1);
    for (let at = 0; at < text.length; at += 701) {
      for (const byte of ['"', ',', ']', '{', '\\', '0', ' ']) {
        const changed = text.slice(0, at) + byte + text.slice(at + 1);
        const long = changed.startsWith('[') ? `[${pad},${changed.slice(1)}` : changed;
        expect([at, byte, judge(list, long).outcome]).toEqual([at, byte, judge(list, changed).outcome]);
      }
    }
  });

  it('does not look at what cannot be cut and would hold up others', () => {
    expect(judge(single, `{"FirstName":"${'x'.repeat(2_000_000)}"}`).outcome).toBe('unchecked');
    expect(judge(list, `[{"FirstName":"${'x'.repeat(2_000_000)}"}]`).outcome).toBe('unchecked');
  });

  it('pauses often: no step of four megabytes takes long', () => {
    const chunks = [Buffer.from(JSON.stringify(people(35_000)))];
    runSteps(judgeAnswerSteps(list, chunks));
    const steps = judgeAnswerSteps(list, chunks);
    const tookMs: number[] = [];
    for (let isDone = false; !isDone; ) {
      const beforeMs = cpuMs();
      isDone = steps.next().done === true;
      tookMs.push(cpuMs() - beforeMs);
    }
    expect(tookMs.length).toBeGreaterThan(100);
    // The median, since a step now and then frees the memory of others.
    expect(tookMs.toSorted((a, b) => a - b)[tookMs.length >> 1]).toBeLessThan(5);
  });
});

/** Of this thread alone: what others do on the machine takes none of it. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
