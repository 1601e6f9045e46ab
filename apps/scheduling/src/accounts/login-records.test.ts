import { expect, it } from 'vitest';
import { markOf } from './login-records.ts';

it('is the same for an e-mail in any letter case, and differs between e-mails', () => {
  expect(markOf('A@b.example', '192.0.2.1')).toBe(markOf('a@b.example', '192.0.2.1'));
  expect(markOf('b@b.example', '192.0.2.1')).not.toBe(markOf('a@b.example', '192.0.2.1'));
});

it('is too short to identify an address: 24 bits of the 32 of an IPv4 address', () => {
  expect(markOf('a@b.example', '192.0.2.1')).toMatch(/^[\da-f]{6}$/);
});
