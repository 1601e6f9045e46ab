import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createAccessTokens } from './access-tokens.ts';
import { createAccount, type NewToken, type StoredToken } from './account-store.ts';

const account = createAccount({ accountRow: 1, email: 'a@b.example', companyKey: 'c', isAdmin: true });

function setUp() {
  const time = { nowMs: 0 };
  const rows = new Map<string, StoredToken>();
  const store = {
    saveToken: async ({ digest, stored, expiresAtMs }: NewToken) => {
      if (stored.revision !== 1) return false;
      rows.set(digest, { account: stored.account, expiresAtMs });
      return true;
    },
    findToken: async (digest: string) => rows.get(digest),
  };
  const tokens = createAccessTokens({ store, clock: () => time.nowMs, randomBytes, lifetimeS: 60 });
  return { time, rows, tokens, issue: async () => (await tokens.issue({ account, revision: 1 }, 'aaaaaa')) as string };
}

it('identifies its account until it expires', async () => {
  const { time, tokens, issue } = setUp();
  const token = await issue();
  time.nowMs = 59_999;
  expect(await tokens.find(token)).toBe(account);
  time.nowMs = 60_000;
  expect(await tokens.find(token)).toBe('expired');
});

it('is stored as a digest, and unknown unless it was issued', async () => {
  const { rows, tokens, issue } = setUp();
  const token = await issue();
  expect([...rows.keys()]).not.toContain(token);
  expect(await tokens.find('made-up')).toBeUndefined();
});

it('is rejected within five seconds after the store deletes it', async () => {
  const { time, rows, tokens, issue } = setUp();
  const token = await issue();
  expect(await tokens.find(token)).toBe(account);
  rows.clear();
  time.nowMs = 5_000;
  expect(await tokens.find(token)).toBeUndefined();
});

it('is not issued for an account that has changed since it was read', async () => {
  const { rows, tokens } = setUp();
  expect(await tokens.issue({ account, revision: 0 }, 'aaaaaa')).toBeUndefined();
  expect(rows.size).toBe(0);
});
