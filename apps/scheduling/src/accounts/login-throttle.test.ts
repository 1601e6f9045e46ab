import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { createLoginThrottle } from './login-throttle.ts';

const from = (remoteAddress: string) => ({ headers: {}, socket: { remoteAddress } }) as unknown as IncomingMessage;

function setUp() {
  const time = { ms: 1_000_000 };
  const throttle = createLoginThrottle({ clock: () => time.ms, failuresPerAddress: 3, failuresPerEmail: 2 });
  return { time, throttle };
}

it('holds up an e-mail that failed too often, from any address, until the oldest failure is a minute old', () => {
  const { time, throttle } = setUp();
  throttle.recordFailure(from('192.0.2.1'), 'a@b.example');
  time.ms += 10_000;
  throttle.recordFailure(from('192.0.2.2'), 'A@B.example');
  expect(() => throttle.admit(from('192.0.2.3'), 'a@b.example')).toThrow(
    expect.objectContaining({ status: 429, headers: { 'Retry-After': '50' } }),
  );
  time.ms += 50_000;
  throttle.admit(from('192.0.2.3'), 'a@b.example');
});

it('holds up an address that guesses at many accounts, and no other', () => {
  const { throttle } = setUp();
  for (const email of ['a', 'b', 'c']) throttle.recordFailure(from('192.0.2.1'), email);
  expect(() => throttle.admit(from('192.0.2.1'), 'd')).toThrow(/try again in 60 seconds/);
  throttle.admit(from('192.0.2.2'), 'd');
});

it('lets nobody lock out an e-mail where it has logged in of late', () => {
  const { time, throttle } = setUp();
  throttle.recordSuccess(from('192.0.2.9'), 'a@b.example');
  for (let i = 0; i < 9; i++) throttle.recordFailure(from('192.0.2.1'), 'a@b.example');
  for (const email of ['b', 'c', 'd', 'e']) throttle.recordFailure(from('192.0.2.9'), email);
  throttle.admit(from('192.0.2.9'), 'A@b.example');
  expect(() => throttle.admit(from('192.0.2.9'), 'b')).toThrow(/too many logins/i);
  time.ms += 25 * 60 * 60_000;
  for (let i = 0; i < 9; i++) throttle.recordFailure(from('192.0.2.1'), 'a@b.example');
  expect(() => throttle.admit(from('192.0.2.9'), 'a@b.example')).toThrow(/too many logins/i);
});

it('counts the guesses at an e-mail even where it has logged in', () => {
  const { throttle } = setUp();
  throttle.recordSuccess(from('192.0.2.9'), 'a@b.example');
  for (let i = 0; i < 10; i++) throttle.recordFailure(from('192.0.2.9'), 'a@b.example');
  expect(() => throttle.admit(from('192.0.2.9'), 'a@b.example')).toThrow(/too many logins/i);
});
