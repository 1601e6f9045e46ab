import type { IncomingMessage } from 'node:http';
import { CallController } from '@rostergate/server';
import { expect, it } from 'vitest';
import { createAccount } from '../accounts/account-store.ts';
import { createLoginThrottle } from '../accounts/login-throttle.ts';
import { hashPassword, type PasswordHash, verifyPassword } from '../accounts/password.ts';
import { createLogin } from './login.ts';

const cost = { N: 2_048, r: 8, p: 1 };
const account = createAccount({ accountRow: 1, email: 'a@b.example', companyKey: 'c', isAdmin: false });
const req = { headers: {}, socket: { remoteAddress: '192.0.2.1' } } as unknown as IncomingMessage;

const createThrottle = () => createLoginThrottle({ clock: () => 0, isKnown: async () => false });

async function logIn(
  stored: PasswordHash,
  password: string,
  { token = 'token' as string | null, throttle = createThrottle() } = {},
): Promise<PasswordHash[]> {
  const replaced: PasswordHash[] = [];
  const login = createLogin({
    accounts: {
      findByEmail: async () => ({ account, password: stored, revision: 1 }),
      replaceHash: async (_account, _before, after) => void replaced.push(after),
    },
    tokens: { issue: async () => token ?? undefined, find: async () => undefined, lifetimeS: 60 },
    throttle,
    cost,
  });
  await login({ body: { email: account.name, password } } as never, { req, call: new CallController() } as never);
  return replaced;
}

it('rehashes a password of a lower cost', async () => {
  const [replaced] = await logIn(await hashPassword('secret', { ...cost, N: 1_024 }), 'secret');
  expect(replaced).toMatch(/^scrypt:2048:8:1:/);
  expect(await verifyPassword(replaced as PasswordHash, 'secret')).toBe(true);
});

it('keeps a hash of the current cost, and any hash after a rejected login', async () => {
  const stored = await hashPassword('secret', cost);
  expect(await logIn(stored, 'secret')).toEqual([]);
  const outdated = await hashPassword('secret', { ...cost, N: 1_024 });
  await expect(logIn(outdated, 'guess')).rejects.toMatchObject({ code: 'login_failed' });
});

it('rejects the right password when the account has changed since it was read, and counts no failure', async () => {
  const stored = await hashPassword('secret', cost);
  const throttle = createThrottle();
  for (let i = 0; i < 12; i++) {
    await expect(logIn(stored, 'secret', { token: null, throttle })).rejects.toMatchObject({ code: 'login_failed' });
  }
  expect(await logIn(stored, 'secret', { throttle })).toEqual([]);
});
