import { expect, inject, test } from 'vitest';
import { call } from '../call.ts';
import { tickers } from '../ticker-stand-in.ts';

const headers = { 'X-API-Key': inject('servers').credentials.GATEWAY_KEY };
const crypto = (query = '') => call('gateway', `/api/crypto${query}`, { headers });

/** While the ticker service is late, the figures are those of the snapshot. */
const answerTo = async (query: string) => {
  const { status, body } = await crypto(query);
  return [status, body];
};

test('GET /api/crypto?symbol=ETH returns the current figures of the ticker service', async () => {
  await expect
    .poll(() => answerTo('?symbol=ETH'))
    .toEqual([
      200,
      {
        symbol: 'ETH',
        name: 'Ethereum',
        rank: 2,
        price_usd: Number(tickers[1]?.price_usd),
        percent_change_24h: -1.25,
        percent_change_1h: 0.1,
        percent_change_7d: 4.75,
        market_cap_usd: 290_000_000_000.5,
        volume24: 15_000_000_000.25,
        price_btc: 0.036,
        csupply: 120_700_000,
        tsupply: 120_700_000,
        msupply: null,
        source: 'live',
        as_of: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      },
    ]);
});

test.each(['', '?symbol=', '?symbol=btc', '?symbol=%20Btc%20'])('GET /api/crypto%s returns bitcoin', async (query) => {
  await expect.poll(() => answerTo(query)).toEqual([200, expect.objectContaining({ symbol: 'BTC', source: 'live' })]);
});

test('an unknown symbol is 404, with the accepted symbols', async () => {
  const { status, body } = await crypto('?symbol=NOSUCHCOIN');
  expect([status, body.code, body.kind]).toEqual([404, 'symbol_not_found', 'NotFoundError']);
});

test.each(['?coin=ETH', '?symbol=ETH&symbol=BTC', '?symbol=ETH&limit=1'])('GET /api/crypto%s is 400', async (query) => {
  const { status, body } = await crypto(query);
  expect([status, body.kind]).toEqual([400, 'ValidationError']);
});

test('the served contract contains the endpoints of endpoints.json', async () => {
  const { body } = await call('gateway', '/openapi.json');
  const operation = body.paths['/api/crypto'].get;
  expect(operation.parameters.map(({ name }: { name: string }) => name)).toContain('symbol');
  expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['200', '400', '404', '429', 'default']));
});
