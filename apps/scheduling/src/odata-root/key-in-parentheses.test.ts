import { expect, it } from 'vitest';
import { keyAsSegment } from './key-in-parentheses.ts';

it.each([
  ["/v2/StaffMembers('k1')", '/v2/StaffMembers/k1'],
  ["/v2/StaffMembers(StaffKey='k1')", '/v2/StaffMembers/k1'],
  ['/v2/StaffMembers%28%27k1%27%29', '/v2/StaffMembers/k1'],
  ["/v2/StaffMembers('k1')?$select=LastName", '/v2/StaffMembers/k1?$select=LastName'],
  ["/v2/StaffMembers('O''Neil')", "/v2/StaffMembers/O'Neil"],
  ["/v2/StaffMembers('a%2Fb%20c')", '/v2/StaffMembers/a%2Fb%20c'],
  ["/v2/StaffMembers('a)')", '/v2/StaffMembers/a)'],
  ["/v2/StaffMembers('%25')", '/v2/StaffMembers/%25'],
  ["/v2/StaffMembers('Zo%C3%AB')", '/v2/StaffMembers/Zo%C3%AB'],
])('%s is %s', (url, expected) => {
  expect(keyAsSegment(url)).toBe(expected);
});

it.each([
  '/v2/StaffMembers',
  '/v2/StaffMembers/k1',
  '/v2/StaffMembers/$count',
  '/v2/StaffMembers()',
  "/v2/StaffMembers('')",
  '/v2/StaffMembers(1)',
  '/v2/StaffMembers(k1)',
  "/v2/StaffMembers('a'b')",
  "/v2/StaffMembers(LastName='k1')",
  "/v2/StaffMembers('k1')/Tags",
  "/v2/StaffMembers('k1",
  "/v2/StaffMembers('%ff')",
  // It would count people.
  "/v2/StaffMembers('$count')",
  "/v2/StaffMembers('%24count')",
  "/v2/Others('k1')",
  "/v2/staffmember/StaffMembers('k1')",
  "/?x=/v2/StaffMembers('k1')",
])('%s stays as it is', (url) => {
  expect(keyAsSegment(url)).toBe(url);
});
