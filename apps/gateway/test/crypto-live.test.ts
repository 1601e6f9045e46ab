import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createBuiltInServices } from '../src/services/index.ts';
import { startUpstreams } from './start-forwarding.ts';
import { problemOf, startGateway } from './start-gateway.ts';

const bitcoin = {
  id: '90',
  symbol: 'BTC',
  name: 'Bitcoin',
  rank: 1,
  price_usd: '50000.25',
  percent_change_24h: '1.5',
  percent_change_1h: '-0.5',
  percent_change_7d: '3',
  price_btc: '1.00',
  market_cap_usd: '990000000000',
  volume24: 12_000_000.5,
  csupply: '19700000.00',
  tsupply: '19700000',
  msupply: '21000000',
};

/** Starts a local ticker service and a gateway that uses it. */
async function startBoth(answer: RequestListener) {
  let requests = 0;
  const ticker = createServer((req, res) => {
    requests++;
    answer(req, res);
  }).listen(0, '127.0.0.1');
  await once(ticker, 'listening');
  onTestFinished(() => {
    ticker.close();
    ticker.closeAllConnections();
  });
  let nowMs = Date.now();
  const services = createBuiltInServices({
    cryptoUpstreamUrl: `http://127.0.0.1:${(ticker.address() as AddressInfo).port}/api/tickers/`,
    fetch,
    clock: () => nowMs,
    // Callers get the snapshot after 2 s, which a busy machine may take for the list.
    wait: (ms, signal) => wait(10 * ms, undefined, { signal, ref: false }),
    http: { env: {}, upstreams: startUpstreams() },
  });
  const gateway = await startGateway({ services });
  return { ...gateway, ticker, requests: () => requests, pass: (ms: number) => (nowMs += ms) };
}

const answerLive: RequestListener = (req, res) => {
  const isAsked = req.method === 'GET' && req.url === '/api/tickers/';
  res.writeHead(isAsked ? 200 : 404, { 'Content-Type': 'application/json' });
  res.end(JSON.stringify({ data: [bitcoin, { ...bitcoin, symbol: 'ETH', name: 'Ethereum', rank: 2 }], info: {} }));
};

describe('the service crypto', () => {
  it('200: uses the ticker service, with one request for all callers', async () => {
    const { fetch, requests } = await startBoth(answerLive);
    const answers = await Promise.all(
      ['', '?symbol=btc', '?symbol=', '?symbol=%20BTC%20', '?symbol=Eth'].map(async (query) => {
        const response = await fetch(`/api/crypto${query}`);
        return (await response.json()) as Record<string, unknown>;
      }),
    );
    expect(answers.map(({ symbol }) => symbol)).toEqual(['BTC', 'BTC', 'BTC', 'BTC', 'ETH']);
    expect(answers[0]).toEqual({
      symbol: 'BTC',
      name: 'Bitcoin',
      rank: 1,
      price_usd: 50000.25,
      percent_change_24h: 1.5,
      percent_change_1h: -0.5,
      percent_change_7d: 3,
      market_cap_usd: 990000000000,
      volume24: 12_000_000.5,
      price_btc: 1,
      csupply: 19700000,
      tsupply: 19700000,
      msupply: 21000000,
      source: 'live',
      as_of: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    expect(requests()).toBe(1);
  });

  it('404: a symbol that is not in the list', async () => {
    const { fetch } = await startBoth(answerLive);
    expect(await problemOf(await fetch('/api/crypto?symbol=SOL'))).toMatchObject({
      answered: 404,
      mediaType: 'application/problem+json',
      code: 'symbol_not_found',
      kind: 'NotFoundError',
    });
  });

  it('200: uses the snapshot while the ticker service fails, and recovers within 30 seconds', async () => {
    let isDown = true;
    const { fetch, requests, pass } = await startBoth((req, res) => {
      if (isDown) req.socket.destroy();
      else answerLive(req, res);
    });
    const sourceOf = async () => ((await (await fetch('/api/crypto')).json()) as { source: string }).source;
    expect(await sourceOf()).toBe('snapshot');
    isDown = false;
    expect(await sourceOf()).toBe('snapshot');
    expect(requests()).toBe(1);
    pass(30_000);
    expect(await sourceOf()).toBe('live');
  });
});
