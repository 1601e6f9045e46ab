import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { createAccount } from '../accounts/account.ts';
import { createLoginThrottle } from '../accounts/login-throttle.ts';
import { hashPassword, type PasswordHash, verifyPassword } from '../accounts/password.ts';
import { createLogin } from './login.ts';

const cost = { N: 2_048, r: 8, p: 1 };
const account = createAccount({ accountRow: 1, email: 'a@b.example', companyKey: 'c', isAdmin: false });
const req = { headers: {}, socket: { remoteAddress: '192.0.2.1' } } as unknown as IncomingMessage;

async function logIn(stored: PasswordHash, password: string): Promise<PasswordHash[]> {
  const replaced: PasswordHash[] = [];
  const login = createLogin({
    accounts: {
      findByEmail: async () => ({ account, password: stored }),
      replaceHash: async (_account, _before, after) => void replaced.push(after),
    },
    tokens: { issue: async () => 'token', find: async () => undefined, lifetimeS: 60 },
    throttle: createLoginThrottle({ clock: () => 0 }),
    cost,
  });
  await login({ body: { email: account.name, password } } as never, { req } as never);
  return replaced;
}

it('stores a password anew that was stored at less than today’s cost', async () => {
  const [replaced] = await logIn(await hashPassword('secret', { ...cost, N: 1_024 }), 'secret');
  expect(replaced).toMatch(/^scrypt:2048:8:1:/);
  expect(await verifyPassword(replaced as PasswordHash, 'secret')).toBe(true);
});

it('leaves a password as it is stored when the cost is today’s, or the login is refused', async () => {
  const stored = await hashPassword('secret', cost);
  expect(await logIn(stored, 'secret')).toEqual([]);
  const outdated = await hashPassword('secret', { ...cost, N: 1_024 });
  await expect(logIn(outdated, 'guess')).rejects.toMatchObject({ code: 'login_failed' });
});
