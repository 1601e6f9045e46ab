import { expect, it } from 'vitest';
import { toODataPeople } from './odata-people.ts';

it.each([
  ['{"LastName":"Zoë","StartDate":"2020-01-02T00:00:00"}', '{"LastName":"Zoë","StartDate":"2020-01-02T00:00:00Z"}'],
  ['{"StartDate":"2020-01-02T00:00:00.125","EndDate":null}', '{"StartDate":"2020-01-02T00:00:00.125Z","EndDate":null}'],
  ['{"LastModifiedDateUtc":"2020-01-02T00:00:00Z"}', '{"LastModifiedDateUtc":"2020-01-02T00:00:00Z"}'],
  ['{"Fte":1,"Tags":null,"BadgeIds":null}', '{"Fte":1}'],
  ['{"Tags":null,"Skillset":null,"Fte":1}', '{"Fte":1}'],
  ['{"Tags":null,"Profiles":null}', '{}'],
  ['{"Tags":[],"TTCMTags":null}', '{"Tags":[]}'],
  [
    ',{"Tags":[{"Tags":[{"Name":"Gold","EffectiveFromDate":"2020-01-02T00:00:00"}]}]},{"Fte":2,"Tags":null}',
    ',{"Tags":[{"Tags":[{"Name":"Gold","EffectiveFromDate":"2020-01-02T00:00:00Z"}]}]},{"Fte":2}',
  ],
])('%s becomes %s', (json, expected) => {
  expect(toODataPeople(json)).toBe(expected);
});

it('leaves texts unchanged that look like members', () => {
  const json = JSON.stringify({ City: ',"Tags":null', State: '"StartDate":"2020-01-02"', LastName: '{"Tags":null}' });
  expect(toODataPeople(json)).toBe(json);
});
