import { describe, expect, it } from 'vitest';
import { createSealedCookie } from './sealed-cookie.ts';

const seconds = 8 * 3600;

function create(more: { secret?: string; purpose?: string; name?: string } = {}) {
  const time = { ms: Date.parse('2026-06-01T00:00:00Z') };
  const options = { name: 'portal', secret: 'a-secret-of-the-developer-portal', purpose: 'sessions', seconds };
  return { time, cookie: createSealedCookie<{ owner: string }>({ ...options, clock: () => time.ms, ...more }) };
}

/** Returns the Cookie field that a browser sends after a Set-Cookie field. */
const fieldOf = (setCookie: string) => setCookie.slice(0, setCookie.indexOf(';'));

describe('a sealed cookie', () => {
  it('is open until it expires, also in a browser that sends it later', async () => {
    const { time, cookie } = create();
    const field = fieldOf(await cookie.seal({ owner: 'corp:ada' }));
    time.ms += seconds * 1000 - 1;
    expect(await cookie.open(field)).toMatchObject({ owner: 'corp:ada' });
    time.ms += 1;
    expect(await cookie.open(field)).toBeUndefined();
  });

  it.each([
    ['secret', { secret: 'another-secret-of-the-portal' }],
    ['purpose', { purpose: 'another issuer' }],
  ])('is closed with another %s', async (_, more) => {
    const field = fieldOf(await create(more).cookie.seal({ owner: 'corp:ada' }));
    expect(await create().cookie.open(field)).toBeUndefined();
  });
});
