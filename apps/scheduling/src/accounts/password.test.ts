import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  createPassword,
  createUnknownHash,
  findPasswordFault,
  hashPassword,
  isOutdated,
  type PasswordHash,
  parsePasswordHash,
  verifyPassword,
} from './password.ts';

const cheap = { N: 1_024, r: 8, p: 1 };

it('matches its password and no other', async () => {
  const stored = await hashPassword('Zoë’s secret', cheap);
  expect(await verifyPassword(stored, 'Zoë’s secret')).toBe(true);
  expect(await verifyPassword(stored, 'Zoe’s secret')).toBe(false);
});

it('takes as long for an unknown account as for any other', async () => {
  const unknown = createUnknownHash(cheap);
  expect(parsePasswordHash(unknown)).toBe(unknown);
  expect(isOutdated(unknown, cheap)).toBe(false);
  expect(unknown.length).toBe((await hashPassword('a', cheap)).length);
  expect(await verifyPassword(unknown, '')).toBe(false);
});

it('accepts the same letters in any Unicode composition', async () => {
  expect(await verifyPassword(await hashPassword('Zo\u00eb', cheap), 'Zoe\u0308')).toBe(true);
});

it('never stores a password with the same hash twice', async () => {
  expect(await hashPassword('a', cheap)).not.toBe(await hashPassword('a', cheap));
});

it('verifies a published scrypt vector (RFC 7914 §12)', async () => {
  const hash = Buffer.from(
    'fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640',
    'hex',
  );
  const stored = `scrypt:1024:8:16:${Buffer.from('NaCl').toString('base64url')}:${hash.toString('base64url')}`;
  expect(await verifyPassword(parsePasswordHash(stored) as PasswordHash, 'password')).toBe(true);
});

it('finds hashes of a lower cost', async () => {
  expect(isOutdated(await hashPassword('a'))).toBe(false);
  expect(isOutdated('scrypt:16384:8:1:YQ:YQ' as PasswordHash)).toBe(true);
  expect(isOutdated('scrypt:262144:8:1:YQ:YQ' as PasswordHash)).toBe(false);
});

const hash = 'A'.repeat(43);

it.each([
  'plain text',
  `scrypt:15:8:1:YQ:${hash}`,
  `scrypt:1073741824:8:1:YQ:${hash}`,
  `scrypt:16384:8:99:YQ:${hash}`,
  `scrypt:16384:8:0:YQ:${hash}`,
  `scrypt:16384:0:1:YQ:${hash}`,
  // scrypt needs N < 2^(16 r).
  `scrypt:65536:1:1:YQ:${hash}`,
  'scrypt:16384:8:1:YQ:x',
  'scrypt:16384:8:1:YQ:YWJj',
  `scrypt:16384:8:1:YQ:${'A'.repeat(21)}`,
])('rejects "%s" as a stored password', (text) => {
  expect(parsePasswordHash(text)).toBeUndefined();
});

it.each([`scrypt:16384:8:1:YQ:${hash}`, `scrypt:32768:1:1:YQ:${'A'.repeat(22)}`])(
  'accepts "%s" as a stored password',
  (text) => {
    expect(parsePasswordHash(text)).toBe(text);
  },
);

it.each(['x', '-', '_'])('matches no password with the empty hash "%s"', async (empty) => {
  expect(await verifyPassword(`scrypt:1024:8:1:YQ:${empty}` as PasswordHash, 'any password')).toBe(false);
});

const email = 'ops.team@example.org';

it.each([
  ['short-secret', undefined],
  ['short-secre', 'at least 12 characters'],
  ['Zoë’s sécret', undefined],
  ['ababababababab', 'different characters'],
  ['ops.team@example.org', 'e-mail'],
  ['OPS.TEAMops.team1', 'e-mail'],
  ['ops.team and a horse', undefined],
  ['x'.repeat(100).concat('abcdefg', 'y'.repeat(200)), 'up to 256'],
])('checks "%s"', (password, fault) => {
  const found = findPasswordFault(password, email);
  if (fault === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(fault);
});

it('generates good passwords that differ', () => {
  const made = Array.from({ length: 20 }, () => createPassword(randomBytes));
  expect(new Set(made).size).toBe(20);
  for (const password of made) expect(findPasswordFault(password, email)).toBeUndefined();
});
