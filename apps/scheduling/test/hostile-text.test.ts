import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { companyKey, expectProblem, type RunningApp, startApp } from './running-app.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const list = `/v2/staffmember?companyKey=${companyKey}`;

describe('text that could break a database', () => {
  it('is rejected in a key: U+0000', async () => {
    for (const path of ['', '/badgeId', '/location', '/profile', '/requestlimit', '/payModifier']) {
      expectProblem(await app.asAdmin(`/v2/staffmember/a%00b${path}`), 400, 'malformed_request');
    }
    expectProblem(await app.put('/v2/staffmember/a%00b', { City: 'x' }), 400, 'malformed_request');
  });

  it('is rejected in a query: U+0000', async () => {
    for (const query of ["$filter=City eq '%00'", "$filter=contains(City,'a%00')", "$filter=City in ('%00','a')"]) {
      expectProblem(await app.asAdmin(`${list}&${query}`), 400, 'odata_invalid');
    }
  });

  it('is rejected in a body: U+0000, half a surrogate pair', async () => {
    const path = await app.newPerson('N-40');
    for (const City of ['a\0', '\ud800']) {
      expectProblem(await app.put(path, { City }), 400, 'validation_failed');
    }
  });

  it.each([`'"\\`, '%_', '\u2028\u0001\t\n', '😀\u{10ffff}', 'ﬁ\u0301', '$1', ';--', '{"a":[1]}'])(
    'is returned unchanged, and is found: %j',
    async (City) => {
      const path = await app.newPerson(`N-41-${City}`);
      expect((await app.put(path, { City })).body.City).toBe(City);
      const filter = encodeURIComponent(`City eq '${City.replaceAll("'", "''")}'`);
      const { body } = await app.asAdmin(`${list}&$filter=${filter}&$select=StaffId`);
      expect(body).toEqual([{ StaffId: `N-41-${City}` }]);
    },
  );
});

describe('a query whose $name the shell has removed', () => {
  it.each(['=2', '%3D', "=FirstName eq 'x'"])('names the cause and shows the quoting: ?%s', async (query) => {
    const { status, body } = await app.asAdmin(`${list}&${query}`);
    expect(status).toBe(400);
    expect(body.errors[0].detail).toMatch(/^has no name\. .* in single quotes, as in '\$top=2'\.$/);
  });

  it.each(['2', "FirstName%20eq%20'x'"])('suggests quoting for text that is no name: ?%s', async (query) => {
    const { status, body } = await app.asAdmin(`${list}&${query}`);
    expect(status).toBe(400);
    expect(body.errors[0].detail).toContain("in single quotes, as in '$top=2'");
  });
});

it('mentions the missing quotes of a text', async () => {
  const { status, body } = await app.asAdmin(`${list}&$filter=${encodeURIComponent('LastName eq Osei')}`);
  expect(status).toBe(400);
  expect(body.detail).toContain("Write 'Osei' in single quotes if it is text.");
});

describe('numbers that could break a database', () => {
  it.each([
    'RegHours mul 1e300 mul 1e300 gt 0',
    'Fte div 1e-300 gt 1e300',
    'length(City) add 9223372036854775807 gt 0',
    'substring(City,2147483647) eq null',
    'substring(City,0,9223372036854775807) eq City',
    'round(RegHours mul 1e200) gt 0',
    'RegHours eq INF or RegHours eq NaN',
    'RegHours gt 99999999999999999999999999999999999999',
    '-(RegHours) lt -9223372036854775808',
  ])('never cause a 500: %s', async (filter) => {
    const { status, body } = await app.asAdmin(`${list}&$top=1&$filter=${encodeURIComponent(filter)}`);
    expect([200, 400], JSON.stringify(body)).toContain(status);
  });

  it.each(['1e400', '-1e400', '9'.repeat(400)])('are rejected in a body: %.9s', async (number) => {
    const path = await app.newPerson(`N-43-${number}`.slice(0, 50));
    for (const name of ['Fte', 'RegHours', 'DailyUnitAverage']) {
      const body = `{"${name}":${number}}`;
      const headers = { 'Content-Type': 'application/json' };
      expectProblem(await app.asAdmin(path, { method: 'PUT', headers, body }), 400, 'validation_failed');
    }
    expect((await app.asAdmin(list)).body.length).toBeGreaterThan(0);
  });

  it('are rejected in a key of a body', async () => {
    const path = await app.newPerson('N-42');
    for (const TagKey of [1e300, 2 ** 63, -1, 2 ** 31]) {
      expectProblem(await app.post(`${path}/tag`, { TagKey }), 400, 'validation_failed');
    }
  });
});
