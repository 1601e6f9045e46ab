import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createAccessTokens } from './access-tokens.ts';
import { createAccount } from './account.ts';
import type { StoredToken } from './account-store.ts';

const account = createAccount({ accountRow: 1, email: 'a@b.example', companyKey: 'c', isAdmin: true });

function setUp() {
  const time = { nowMs: 0 };
  const rows = new Map<string, StoredToken>();
  const store = {
    saveToken: async (digest: string, owner: typeof account, expiresAtMs: number) => {
      rows.set(digest, { account: owner, expiresAtMs });
    },
    findToken: async (digest: string) => rows.get(digest),
  };
  return { time, rows, tokens: createAccessTokens({ store, clock: () => time.nowMs, randomBytes, lifetimeS: 60 }) };
}

it('leads to its account until it expires', async () => {
  const { time, tokens } = setUp();
  const token = await tokens.issue(account);
  time.nowMs = 59_999;
  expect(await tokens.find(token)).toBe(account);
  time.nowMs = 60_000;
  expect(await tokens.find(token)).toBe('expired');
});

it('is stored as a digest, and unknown when nobody issued it', async () => {
  const { rows, tokens } = setUp();
  const token = await tokens.issue(account);
  expect([...rows.keys()]).not.toContain(token);
  expect(await tokens.find('made-up')).toBeUndefined();
});

it('ends within five seconds when the store forgets it', async () => {
  const { time, rows, tokens } = setUp();
  const token = await tokens.issue(account);
  expect(await tokens.find(token)).toBe(account);
  rows.clear();
  time.nowMs = 5_000;
  expect(await tokens.find(token)).toBeUndefined();
});
