import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { isBelowRoot, rootUrlFor } from './root-url.ts';

const request = (headers: IncomingHttpHeaders, encrypted = false) =>
  ({ headers, socket: { encrypted } }) as unknown as Pick<IncomingMessage, 'headers' | 'socket'>;

it.each([
  [{ host: 'staff.example:8020' }, false, 'http://staff.example:8020/v2/'],
  [{ host: 'staff.example' }, true, 'https://staff.example/v2/'],
  [{ host: 'staff.example', 'x-forwarded-proto': 'https' }, false, 'https://staff.example/v2/'],
  [{ host: 'staff.example', 'x-forwarded-proto': 'ftp' }, false, 'http://staff.example/v2/'],
  [{}, false, '/v2/'],
])('of %j, encrypted %s, is %s', (headers, encrypted, url) => {
  expect(rootUrlFor(request(headers, encrypted))).toBe(url);
});

it.each([
  ['/v2/', true],
  ['/v2/$metadata', true],
  ['/v2/%24metadata', true],
  ['/v2/$batch', true],
  ['/v2/StaffMembers', true],
  ['/v2/StaffMembers/', true],
  ['/v2/StaffMembers/k1/Tags', true],
  ["/v2/StaffMembers('k1')/Tags", true],
  ['/v2/StaffMembers%28%27k1%27%29', true],
  ['/v2', false],
  ['/v2/staffmember', false],
  ['/v2/StaffMembersOf', false],
  ['/v2//StaffMembers', false],
  ['/StaffMembers', false],
])('%s is below the root: %s', (path, expected) => {
  expect(isBelowRoot(path)).toBe(expected);
});
