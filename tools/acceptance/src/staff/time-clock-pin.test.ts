import { describe, expect, test } from 'vitest';
import { staffServers } from '../server-names.ts';
import { callAs, companyKey, createPerson, list, pathOf } from './callers.ts';
import { differs } from './proxy-differences.ts';

const pin = '73914-kiosk-pin';

describe.each(staffServers)('%s', (server) => {
  test('rule time clock PIN: it can be written and is in no response', async () => {
    const person = await createPerson(server, { TimeClockKioskPIN: pin });
    const updated = await callAs(server, 'admin', pathOf(person), { method: 'PUT', json: { TimeClockKioskPIN: pin } });
    const texts = [
      JSON.stringify(person),
      updated.text,
      (await callAs(server, 'admin', pathOf(person))).text,
      (await list(server, 'admin', { $filter: `StaffKey eq '${person.StaffKey}'` })).text,
      (await list(server, 'admin', { $search: pin })).text,
    ];
    for (const text of texts) {
      expect(text).not.toContain('TimeClockKioskPIN');
      expect(text).not.toContain(pin);
    }
  });

  test.each([
    `$filter=TimeClockKioskPIN eq '${pin}'`,
    '$filter=TimeClockKioskPIN ne null',
    '$filter=length(TimeClockKioskPIN) gt 0',
    '$filter=$it/TimeClockKioskPIN eq null',
    "$filter=Tags/any(t:$it/TimeClockKioskPIN eq '1')",
    "$filter=Skillset/any(s:s/TimeClockKioskPIN eq '1')",
    "$filter=TimeClockKioskPIN in ('1')",
    '$filter=case(TimeClockKioskPIN eq null:true,true:false)',
    "$filter=isof(TimeClockKioskPIN,'Edm.String')",
    '$orderby=TimeClockKioskPIN',
    '$orderby=length(TimeClockKioskPIN) desc,LastName',
    '$select=TimeClockKioskPIN',
    '$select=StaffKey,TimeClockKioskPIN',
    '$expand=TimeClockKioskPIN',
    '$expand=Tags($select=TimeClockKioskPIN)',
    '$expand=Skillset($filter=TimeClockKioskPIN eq null)',
  ])('rule time clock PIN: no query can use it: %s', async (query) => {
    const isOfHidden = /(?:Tags|Skillset)(?:\/|\(\$filter)/.test(query);
    for (const role of ['admin', 'reader'] as const) {
      const { status, body } = await list(server, role, Object.fromEntries(new URLSearchParams(query)));
      const isRejected = role === 'reader' && isOfHidden && differs(server, 'condition on hidden data');
      expect([status, body.kind], role).toEqual(isRejected ? [403, 'AuthorizationError'] : [400, 'ValidationError']);
    }
  });

  test('rule time clock PIN: an unknown property is rejected in the same way, so that the error discloses nothing', async () => {
    const responseFor = async (name: string) => {
      const { status, body } = await callAs(
        server,
        'admin',
        `/v2/staffmember?companyKey=${companyKey}&$filter=${name}%20eq%20'1'`,
      );
      return { status, code: body.code };
    };
    expect(await responseFor('TimeClockKioskPIN')).toEqual(await responseFor('NoSuchProperty'));
  });
});
