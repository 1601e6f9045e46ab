import { runSteps } from '@rostergate/server/steps';
import { proxyDocument } from '@rostergate/staff-spec';
import { describe, expect, it } from 'vitest';
import { cpuMs, leastCpuMs } from '../../../../tools/workspace/cpu-costs.ts';
import { checkResponseSteps, createRuleFinder, type ResponseRule, wholeBytesMax } from './check-response.ts';

const findRule = createRuleFinder(proxyDocument);
const list = findRule('listStaffMembers', 200, 'application/json') as ResponseRule;
const page = findRule('listStaffMembers', 200, 'application/json;odata.metadata=minimal') as ResponseRule;
const single = findRule('getStaffMember', 200, 'application/json') as ResponseRule;

const person = (i: number): Record<string, unknown> => ({
  StaffKey: `S-${i}`,
  FirstName: 'Zoë',
  LastName: `a "quoted", [bracketed] {name} \\ ${'x'.repeat(i % 50)}`,
  Fte: 0.5,
  Tags: null,
});
/** Some hundred kilobytes. */
const people = (count = 3_000) => Array.from({ length: count }, (_, i) => person(i));

function check(rule: ResponseRule, text: string | Uint8Array, chunkBytes = 65_536) {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) chunks.push(bytes.subarray(at, at + chunkBytes));
  return runSteps(checkResponseSteps(rule, chunks));
}

describe('checkResponseSteps', () => {
  it('accepts a valid response, short or long, bare or in an envelope', () => {
    for (const count of [0, 1, 10, 3_000]) {
      expect(check(list, JSON.stringify(people(count))).outcome).toBe('sound');
      expect(check(page, JSON.stringify({ '@odata.count': count, value: people(count) })).outcome).toBe('sound');
    }
    expect(check(single, JSON.stringify(person(1)))).toEqual({ outcome: 'sound', places: [] });
  });

  it('reports the place of a violation in a long list', () => {
    for (const at of [0, 1, 700, 1_500, 2_999]) {
      const broken = people();
      (broken[at] as Record<string, unknown>).Fte = 'canary-value';
      const places = [{ pointer: `/${at}/Fte`, detail: 'must be number' }];
      expect(check(list, JSON.stringify(broken))).toEqual({ outcome: 'broken', places });
      expect(check(list, JSON.stringify(broken, null, 2), 1_000)).toEqual({ outcome: 'broken', places });
      expect(check(page, JSON.stringify({ value: broken }))).toEqual({
        outcome: 'broken',
        places: [{ ...places[0], pointer: `/value/${at}/Fte` }],
      });
    }
  });

  it('reports violations around a long list', () => {
    expect(check(page, JSON.stringify({ value: people(), count: 3 })).places).toEqual([
      { pointer: '/count', detail: 'is not in the contract' },
    ]);
    expect(check(list, JSON.stringify({ value: people() })).places).toEqual([{ pointer: '', detail: 'must be array' }]);
  });

  it('reports at most 10 places', () => {
    const { outcome, places } = check(list, JSON.stringify(people(20_000).map((p) => ({ ...p, Fte: 'x' }))));
    expect([outcome, places.length]).toEqual(['broken', 10]);
  });

  it.each([
    ['an empty body', () => ''],
    ['text that breaks off', (text: string) => text.slice(0, -100)],
    ['text that breaks off between elements', (text: string) => text.slice(0, text.lastIndexOf(',{"StaffKey"'))],
    ['a trailing comma', (text: string) => text.replace(/\]$/, ',]')],
    ['an extra comma', (text: string) => text.replace('},{"StaffKey":"S-1500"', '},,{"StaffKey":"S-1500"')],
    ['a missing comma', (text: string) => text.replace('},{"StaffKey":"S-1500"', '}{"StaffKey":"S-1500"')],
    ['text after the end', (text: string) => `${text}]`],
    ['a bracket of the other kind', (text: string) => text.replace(/\]$/, '}')],
    ['a byte order mark', (text: string) => `\u{feff}${text}`],
  ])('reports %s as not JSON, in a short and in a long response', (_, spoil) => {
    for (const count of [2_000, 3]) {
      const text = spoil(JSON.stringify(people(count)).replace('"S-2"', '"S-1500"'));
      if (count === 3 && JSON.stringify(people(3)) === text) continue;
      const result = check(list, text);
      expect(result).toMatchObject({ outcome: 'broken', places: [{ pointer: '', detail: 'is not JSON' }] });
    }
  });

  it('reports bytes that are not UTF-8', () => {
    const bytes = Buffer.from(JSON.stringify(people()));
    bytes[bytes.lastIndexOf('x')] = 0xff;
    expect(check(list, bytes)).toMatchObject({ outcome: 'broken', places: [{ detail: 'is not JSON' }] });
  });

  it('gives the same result for a long list as for a short one after any change', () => {
    const text = JSON.stringify(people(400));
    expect(text.length).toBeLessThan(wholeBytesMax);
    const pad = JSON.stringify(people(1_500)).slice(1, -1);
    for (let at = 0; at < text.length; at += 701) {
      for (const byte of ['"', ',', ']', '{', '\\', '0', ' ']) {
        const changed = text.slice(0, at) + byte + text.slice(at + 1);
        const long = changed.startsWith('[') ? `[${pad},${changed.slice(1)}` : changed;
        expect([at, byte, check(list, long).outcome]).toEqual([at, byte, check(list, changed).outcome]);
      }
    }
  });

  it('leaves a value unchecked that cannot be cut', () => {
    expect(check(single, `{"FirstName":"${'x'.repeat(2_000_000)}"}`).outcome).toBe('unchecked');
    expect(check(list, `[{"FirstName":"${'x'.repeat(2_000_000)}"}]`).outcome).toBe('unchecked');
  });

  it('takes no long step in a response of four megabytes', () => {
    const chunks = [Buffer.from(JSON.stringify(people(35_000)))];
    runSteps(checkResponseSteps(list, chunks));
    // The median, as garbage collection prolongs single steps, and the least of several.
    let medianMs = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 5 && medianMs >= 5; round++) {
      const steps = checkResponseSteps(list, chunks);
      const tookMs: number[] = [];
      for (let isDone = false; !isDone; ) {
        const stepMs = cpuMs(() => {
          isDone = steps.next().done === true;
        });
        tookMs.push(stepMs);
      }
      expect(tookMs.length).toBeGreaterThan(100);
      medianMs = Math.min(medianMs, tookMs.toSorted((a, b) => a - b)[tookMs.length >> 1] as number);
    }
    expect(medianMs).toBeLessThan(5);
  });
});

function ruleOf(operationId: string, contentType = 'application/json', status = 200): ResponseRule {
  const rule = findRule(operationId, status, contentType);
  if ('pointer' in rule) throw new Error(rule.detail);
  return rule;
}

describe('createRuleFinder', () => {
  it('finds the list of a response', () => {
    expect(ruleOf('listStaffMembers')).toMatchObject({ listDepth: 1, listPointer: '' });
    expect(ruleOf('listStaffMembers', 'application/json;odata.metadata=minimal')).toMatchObject({
      listDepth: 2,
      listPointer: '/value',
    });
    expect(ruleOf('getStaffMember')).toMatchObject({ listDepth: 0 });
  });

  it('ignores media type parameters that the contract does not name', () => {
    expect(ruleOf('listStaffMembers', 'Application/JSON; charset=utf-8').listDepth).toBe(1);
    const envelope = 'application/json; odata.metadata=minimal; odata.streaming=true; charset=utf-8';
    expect(ruleOf('listStaffMembers', envelope).listDepth).toBe(2);
  });

  it('rejects a status and a media type that the contract does not have', () => {
    expect(findRule('getStaffMember', 202, 'application/json')).toMatchObject({
      detail: expect.stringContaining('202'),
    });
    expect(findRule('getStaffMember', 200, 'application/hal+json')).toMatchObject({
      detail: 'has a media type that is not in the contract',
    });
  });

  it.each([
    ['a wrong type', { Fte: 'canary-value' }, '/Fte', 'must be number'],
    ['an unknown member', { SocialSecurityNumber: 'canary-value' }, '/SocialSecurityNumber', 'is not in the contract'],
    ['a member named by a value', { 'canary-value@up.test': 1 }, '/*', 'is not in the contract'],
    ['a write-only member', { TimeClockKioskPIN: 'canary-value' }, '/TimeClockKioskPIN', 'is write-only'],
    ['a value beyond its bounds', { StaffInternalId: 'canary-value'.repeat(5) }, '/StaffInternalId', undefined],
    ['a fault deep inside', { Tags: [{ CategoryKey: 1, Tags: [{ Key: 'canary-value' }] }] }, undefined, undefined],
  ])('reports the place of %s, not the value', (_, person, pointer, detail) => {
    const place = ruleOf('getStaffMember').checkWhole(person);
    expect(place).toMatchObject({ ...(pointer && { pointer }), ...(detail && { detail }) });
    expect(JSON.stringify(place)).not.toContain('canary-value');
  });

  it('accepts unknown members where they are kept, and no write-only ones', () => {
    const { checkWhole } = createRuleFinder(proxyDocument, 'keep')(
      'getStaffMember',
      200,
      'application/json',
    ) as ResponseRule;
    expect(checkWhole({ StaffKey: 'S-1', SocialSecurityNumber: '1', Tags: [{ Order: 1 }] })).toBeUndefined();
    expect(checkWhole({ TimeClockKioskPIN: '1' })).toMatchObject({ pointer: '/TimeClockKioskPIN' });
    expect(checkWhole({ SocialSecurityNumber: '1', Fte: 'x' })).toMatchObject({ pointer: '/Fte' });
  });

  it('accepts null where the contract does, and absent members', () => {
    expect(ruleOf('getStaffMember').checkWhole({ StaffKey: 'S-1', Tags: null, Email: null })).toBeUndefined();
    expect(ruleOf('getStaffMember').checkWhole({})).toBeUndefined();
    expect(ruleOf('getStaffMember').checkWhole({ StaffKey: null })).toMatchObject({ pointer: '/StaffKey' });
  });

  it('stops at the first violation, so that time does not grow with the square of violations', () => {
    const list = Array.from({ length: 200_000 }, () => 0);
    const { checkElements } = ruleOf('listStaffMembers');
    const check = () => expect(checkElements(list)).toMatchObject({ pointer: '/0' });
    expect(leastCpuMs(check, { msMax: 500 })).toBeLessThan(500);
  });

  it('has a rule for every forwarded operation, without constraints on a list as a whole', () => {
    for (const item of Object.values(proxyDocument.paths)) {
      for (const { operationId, security, responses } of Object.values(item) as Operation[]) {
        if (security?.length === 0 || operationId === undefined) continue;
        for (const [status, { content = {} }] of Object.entries(responses)) {
          if (!status.startsWith('2')) continue;
          for (const [media, { schema }] of Object.entries(content)) {
            const rule = ruleOf(operationId, media, Number(status));
            runSteps(rule.prepareSteps());
            expect(rule.checkWhole(1)).toMatchObject({ pointer: '' });
            // Its parts are checked separately.
            expect(Object.keys(schema)).not.toEqual(expect.arrayContaining([expect.stringMatching(/Items$/)]));
          }
        }
      }
    }
  });
});

interface Operation {
  readonly operationId?: string;
  readonly security?: readonly unknown[];
  readonly responses: Readonly<Record<string, { readonly content?: Record<string, { readonly schema: object }> }>>;
}
