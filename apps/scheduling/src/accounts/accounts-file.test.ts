import { expect, it } from 'vitest';
import { parseAccountsFile } from './accounts-file.ts';
import { hashPassword } from './password.ts';

const password = await hashPassword('secret-word');
const parse = (value: unknown) => parseAccountsFile(JSON.stringify(value, null, 2), 'accounts.json');

it('parses accounts, which are not admins by default', () => {
  expect(parse([{ email: 'a@b.example', password, company_key: 'c' }])).toEqual([
    { email: 'a@b.example', password, companyKey: 'c', isAdmin: false },
  ]);
});

it('names every fault with its place and repeats no password', () => {
  const entry = { email: 'a@b.example', password: 'secret-word', company_key: 'c', adnim: true };
  const read = () => parse([entry]);
  expect(read).toThrow(/accounts\.json:4:17/);
  expect(read).toThrow(/adnim/);
  expect(read).not.toThrow(/secret-word/);
});

it('rejects two accounts of one address in any letter case', () => {
  const entry = { email: 'a@b.example', password, company_key: 'c' };
  expect(() => parse([entry, { ...entry, email: 'A@B.example' }])).toThrow(/accounts\.json:8:14.*has this address/);
});
