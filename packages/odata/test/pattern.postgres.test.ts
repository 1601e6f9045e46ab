import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compilePattern } from '../src/pattern.ts';
import { postgresPattern } from '../src/postgres.ts';

let client: pg.Client;
beforeAll(async () => {
  client = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL });
  await client.connect();
  // A pattern that backtracks would exceed any timeout.
  await client.query('SET statement_timeout = 10000');
});
afterAll(() => client?.end());

test.each([
  ['(a*)*b', 'a'],
  ['(a+)+$', 'a'],
  ['^(a+)+$', 'ab'],
  ['(a|a)*b', 'a'],
  ['(a|aa)+b', 'a'],
  ['(.*)*x', 'ab'],
  ['(.*a){20}', 'b'],
  ['(a?){120}a{120}b', 'a'],
  ['((a{0,20}){0,20})b', 'a'],
  ['(x+x+)+y', 'x'],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'],
  ['(((((a*)*)*)*)*)*b', 'a'],
  ['(a|b|ab)*c', 'ab'],
  ['a*a*a*a*a*a*a*a*b', 'a'],
  ['(?:\\w*\\W*){1,9}!', 'a b'],
  ['[\\s\\S]*[\\s\\S]*[\\s\\S]*é', '😀'],
])(
  'PostgreSQL runs %s on 20,000 characters of %s without backtracking, with the same result',
  async (pattern, piece) => {
    const text = piece.repeat(20_000 / piece.length);
    const { rows } = await client.query<{ found: boolean }>('SELECT $1::text ~ $2::text AS found', [
      text,
      postgresPattern(pattern),
    ]);
    expect(rows[0]?.found).toBe(compilePattern(pattern)(text));
  },
);
