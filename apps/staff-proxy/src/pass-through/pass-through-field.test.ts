import { describe, expect, it } from 'vitest';
import { readSettings } from '../configuration/read-settings.ts';

const read = (pass_through: unknown) =>
  readSettings({ env: {}, file: { path: 'staff-proxy.json', text: JSON.stringify({ pass_through }) } }).pass_through;
const entry = (more: object) => ({ name: 'a', path: '/v2/schedule/{rest*}', methods: ['GET'], ...more });

describe('the setting pass_through', () => {
  it('is empty by default, and accepts one path with different methods', () => {
    expect(readSettings({ env: {} }).pass_through).toEqual([]);
    const entries = [
      entry({}),
      entry({ name: 'b', methods: ['POST'] }),
      entry({ name: 'c', path: '/v2/schedules/{id}' }),
    ];
    expect(read(entries)).toEqual(entries);
  });

  it.each([
    ['/v2/staffmember/{rest*}', 'overlaps /v2/staffmember'],
    ['/v2/StaffMember/{id}', 'overlaps /v2/staffmember/{staff_key}'],
    ['/v2/{anything}', 'overlaps /v2/'],
    ['/v2/{a}/{rest*}', 'overlaps /v2/'],
    ['/v2/LOGIN', 'overlaps /v2/login'],
    ['/v2/{rest*}', 'overlaps /v2/'],
    ['/v1/schedule', 'must begin with /v2/'],
    ['/v2schedule', 'must begin with /v2/'],
    ['/v2/schedule/', 'empty segment'],
    ['/v2/../schedule', 'the segment ".."'],
    ['/v2/schedule/**', 'write the rest of a path as {rest*}'],
    ['schedule', 'must begin with /'],
  ])('rejects the path %s', (path, message) => {
    expect(() => read([entry({ path })])).toThrow(message);
    expect(() => read([entry({ path })])).toThrow('pass_through[0].path');
  });

  it.each([
    [{ name: 'a', path: '/v2/other' }, 'pass_through[1].name'],
    [{ name: 'b' }, 'pass_through[1].methods'],
    [{ name: 'b', path: '/v2/Schedule/{id}', methods: ['POST'] }, 'pass_through[1].path'],
    [{ name: 'B', path: '/v2/other' }, 'pass_through[1].name'],
    [{ name: 'b', path: '/v2/other', methods: ['HEAD'] }, 'pass_through[1].methods[0]'],
  ])('rejects %j beside another entry', (more, place) => {
    expect(() => read([entry({}), entry(more)])).toThrow(place);
  });
});
