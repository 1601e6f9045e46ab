import { describe, expect, it } from 'vitest';
import { loadCryptoSnapshot, parseTickers } from './tickers.ts';

const entry = {
  id: '90',
  symbol: 'btc',
  name: 'Bitcoin',
  nameid: 'bitcoin',
  rank: 1,
  price_usd: '6456.52',
  percent_change_24h: '-1.47',
  percent_change_1h: '0.05',
  percent_change_7d: '-1.07',
  price_btc: '1.00',
  market_cap_usd: '111586042785.56',
  volume24: 3997655362.9586277,
  volume24a: 3657294860.710187,
  csupply: '17282687.00',
  tsupply: '17282687',
  msupply: '',
};

describe('parseTickers', () => {
  it('parses figures in strings, returns the 13 fields, and treats an empty supply as unknown', () => {
    expect(parseTickers({ data: [entry] }).get('BTC')).toEqual({
      symbol: 'BTC',
      name: 'Bitcoin',
      rank: 1,
      price_usd: 6456.52,
      percent_change_24h: -1.47,
      percent_change_1h: 0.05,
      percent_change_7d: -1.07,
      market_cap_usd: 111586042785.56,
      volume24: 3997655362.9586277,
      price_btc: 1,
      csupply: 17282687,
      tsupply: 17282687,
      msupply: null,
    });
  });

  it('skips invalid entries, and uses the first of two coins with one symbol', () => {
    const found = parseTickers({ data: [{ symbol: 'BAD' }, null, entry, { ...entry, name: 'Imitation', rank: 99 }] });
    expect([...found.keys()]).toEqual(['BTC']);
    expect(found.get('BTC')?.name).toBe('Bitcoin');
  });

  it.each([null, [], { data: {} }, { data: [] }, { data: [{ ...entry, price_usd: 'n/a' }] }])('rejects %j', (value) => {
    expect(() => parseTickers(value)).toThrow();
  });
});

describe('loadCryptoSnapshot', () => {
  it('contains common coins with complete data', () => {
    const { tickers, as_of } = loadCryptoSnapshot();
    expect([...tickers.keys()]).toEqual(expect.arrayContaining(['BTC', 'ETH', 'SOL']));
    expect(tickers.size).toBeGreaterThanOrEqual(15);
    expect([...tickers.values()].map((ticker) => ticker.rank)).toEqual([...tickers.keys()].map((_, i) => i + 1));
    expect(new Date(as_of).toISOString()).toBe(as_of);
  });
});
