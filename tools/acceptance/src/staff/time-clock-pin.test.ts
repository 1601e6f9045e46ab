import { describe, expect, test } from 'vitest';
import { staffServers } from '../server-names.ts';
import { callAs, companyKey, createPerson, list, pathOf } from './callers.ts';

const pin = '73914-kiosk-pin';

describe.each(staffServers)('%s', (server) => {
  test('the PIN of a time clock can be written and is in no answer', async () => {
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
    { $filter: `TimeClockKioskPIN eq '${pin}'` },
    { $filter: 'TimeClockKioskPIN ne null' },
    { $orderby: 'TimeClockKioskPIN' },
    { $select: 'TimeClockKioskPIN' },
  ])('nobody can ask by it: %j', async (options) => {
    const { status, body } = await list(server, 'admin', options as Record<string, string>);
    expect([status, body.kind]).toEqual([400, 'ValidationError']);
  });

  test('an unknown property is refused in the same way, so that the refusal tells nothing', async () => {
    const told = async (name: string) => {
      const { status, body } = await callAs(
        server,
        'admin',
        `/v2/staffmember?companyKey=${companyKey}&$filter=${name}%20eq%20'1'`,
      );
      return { status, code: body.code };
    };
    expect(await told('TimeClockKioskPIN')).toEqual(await told('NoSuchProperty'));
  });
});
