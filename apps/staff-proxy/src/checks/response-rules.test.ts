import { runSteps } from '@rostergate/server/steps';
import { proxyDocument } from '@rostergate/staff-spec';
import { describe, expect, it } from 'vitest';
import { createRuleFinder, type ResponseRule } from './response-rules.ts';

const findRule = createRuleFinder(proxyDocument);

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

  it('accepts null where the contract does, and absent members', () => {
    expect(ruleOf('getStaffMember').checkWhole({ StaffKey: 'S-1', Tags: null, Email: null })).toBeUndefined();
    expect(ruleOf('getStaffMember').checkWhole({})).toBeUndefined();
    expect(ruleOf('getStaffMember').checkWhole({ StaffKey: null })).toMatchObject({ pointer: '/StaffKey' });
  });

  it('stops at the first violation, so that time does not grow with the square of violations', () => {
    const list = Array.from({ length: 200_000 }, () => 0);
    const beforeMs = cpuMs();
    expect(ruleOf('listStaffMembers').checkElements(list)).toMatchObject({ pointer: '/0' });
    expect(cpuMs() - beforeMs).toBeLessThan(500);
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

/** CPU time of this thread, independent of other load. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
