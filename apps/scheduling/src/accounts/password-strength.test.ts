import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createPassword, findPasswordFault } from './password-strength.ts';

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
])('judges "%s"', (password, fault) => {
  const found = findPasswordFault(password, email);
  if (fault === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(fault);
});

it('makes passwords that pass, each another', () => {
  const made = Array.from({ length: 20 }, () => createPassword(randomBytes));
  expect(new Set(made).size).toBe(20);
  for (const password of made) expect(findPasswordFault(password, email)).toBeUndefined();
});
