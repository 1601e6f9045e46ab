import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { createLoginThrottle } from './login-throttle.ts';

const from = (remoteAddress: string) => ({ headers: {}, socket: { remoteAddress } }) as unknown as IncomingMessage;

function setUp() {
  const time = { ms: 1_000_000 };
  const known = new Set<string>();
  const lookups: string[] = [];
  const isKnown = async (email: string, address: string) => {
    lookups.push(`${email} ${address}`);
    return known.has(`${email} ${address}`);
  };
  const throttle = createLoginThrottle({ clock: () => time.ms, isKnown, failuresPerAddress: 3, failuresPerEmail: 2 });
  return { time, known, lookups, throttle };
}

it('blocks an e-mail that failed too often, from any address, until the oldest failure is a minute old', async () => {
  const { time, throttle } = setUp();
  throttle.recordFailure(from('192.0.2.1'), 'a@b.example');
  time.ms += 10_000;
  throttle.recordFailure(from('192.0.2.2'), 'A@B.example');
  await expect(throttle.admit(from('192.0.2.3'), 'a@b.example')).rejects.toMatchObject({
    status: 429,
    headers: { 'Retry-After': '50' },
  });
  time.ms += 50_000;
  await throttle.admit(from('192.0.2.3'), 'a@b.example');
});

it('blocks an address that guesses many accounts, and no other', async () => {
  const { throttle } = setUp();
  for (const email of ['a', 'b', 'c']) throttle.recordFailure(from('192.0.2.1'), email);
  await expect(throttle.admit(from('192.0.2.1'), 'd')).rejects.toThrow(/try again in 60 seconds/);
  await throttle.admit(from('192.0.2.2'), 'd');
});

it('does not let others lock out an account at an address that it is known at', async () => {
  const { known, throttle } = setUp();
  known.add('a@b.example 192.0.2.9');
  for (let i = 0; i < 9; i++) throttle.recordFailure(from('192.0.2.1'), 'a@b.example');
  for (const email of ['b', 'c', 'd', 'e']) throttle.recordFailure(from('192.0.2.9'), email);
  await throttle.admit(from('192.0.2.9'), 'A@b.example');
  await expect(throttle.admit(from('192.0.2.9'), 'b')).rejects.toThrow(/too many logins/i);
  known.clear();
  await expect(throttle.admit(from('192.0.2.9'), 'a@b.example')).rejects.toThrow(/too many logins/i);
});

it('counts guesses of an account also at an address that it is known at', async () => {
  const { known, throttle } = setUp();
  known.add('a@b.example 192.0.2.9');
  for (let i = 0; i < 10; i++) throttle.recordFailure(from('192.0.2.9'), 'a@b.example');
  await expect(throttle.admit(from('192.0.2.9'), 'a@b.example')).rejects.toThrow(/too many logins/i);
});

it('looks up whether an address is known only before it rejects a login', async () => {
  const { lookups, throttle } = setUp();
  throttle.recordFailure(from('192.0.2.1'), 'a@b.example');
  await throttle.admit(from('192.0.2.1'), 'a@b.example');
  expect(lookups).toEqual([]);
  throttle.recordFailure(from('192.0.2.1'), 'a@b.example');
  await expect(throttle.admit(from('192.0.2.1'), 'a@b.example')).rejects.toThrow(/too many logins/i);
  expect(lookups).toEqual(['a@b.example 192.0.2.1']);
});
