import { startListener } from './start-listener.ts';

/** Starts a stand-in for the public ticker service with its format: one list under `data`, most numbers as text. */
export async function startTickerStandIn(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const body = JSON.stringify({ data: tickers, info: { coins_num: tickers.length, time: 1_767_225_600 } });
  const { url, stop } = await startListener((_, response) => {
    response.setHeader('Content-Type', 'application/json').end(body);
  });
  return { url: `${url}/api/tickers/`, stop };
}

const createTicker = (rank: number, symbol: string, name: string, price: string, msupply: string) => ({
  id: String(rank),
  symbol,
  name,
  nameid: name.toLowerCase(),
  rank,
  price_usd: price,
  percent_change_24h: '-1.25',
  percent_change_1h: '0.10',
  percent_change_7d: '4.75',
  price_btc: rank === 1 ? '1.00' : '0.036000',
  market_cap_usd: '290000000000.50',
  volume24: 15_000_000_000.25,
  volume24a: 14_000_000_000.5,
  csupply: '120700000.00',
  tsupply: '120700000',
  msupply,
});

/** Figures that differ from those of the snapshot. */
export const tickers = [
  createTicker(1, 'BTC', 'Bitcoin', '66666.66', '21000000'),
  createTicker(2, 'ETH', 'Ethereum', '2424.42', ''),
  createTicker(3, 'SOL', 'Solana', '142.42', ''),
];
