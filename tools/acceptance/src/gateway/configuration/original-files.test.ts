import { expect, test } from 'vitest';
import { startGateway } from '../../gateway-process.ts';
import { startTickerStandIn } from '../../ticker-stand-in.ts';

/** Files in the format of the gateway's predecessor: nine flat settings, notes in keys that begin with `_`. */
const settings = `{
  "_comment": "All of these may be left out.",
  "api_keys": "",
  "enable_landing_page": true,
  "enable_docs": true,
  "enable_redoc": true,
  "enable_openapi": true,
  "enabled_routers": ["health", "metrics", "auth", "endpoints"],
  "rate_limit_enabled": true,
  "rate_limit_per_minute": 60,
  "rate_limit_per_minute_authenticated": 300
}
`;
const endpoints = `{
  "_comment": "Each entry becomes a route.",
  "endpoints": [
    {
      "_note": "The symbol comes from the query.",
      "path": "/crypto",
      "method": "GET",
      "service": "crypto",
      "enabled": true,
      "requires_auth": false,
      "description": "Price of a coin",
      "tags": ["crypto"],
      "parameters": {}
    },
    {
      "path": "/crypto/{symbol}",
      "method": "get",
      "service": "Crypto",
      "enabled": true,
      "requires_auth": true,
      "api_keys": "one-key,two-key",
      "description": "Price of a coin by its symbol",
      "summary": "Coin by symbol",
      "tags": ["crypto"],
      "parameters": { "symbol": { "source": "path", "key": "symbol" } }
    },
    {
      "path": "/crypto/eth/price",
      "service": "crypto",
      "api_keys": null,
      "parameters": { "symbol": "ETH" }
    },
    { "path": "/old", "service": "crypto", "enabled": false }
  ]
}
`;

test('settings.json and endpoints.json of the original format are served unchanged', async () => {
  const ticker = await startTickerStandIn();
  const { url } = await startGateway({
    files: { 'settings.json': settings, 'endpoints.json': endpoints },
    env: { ROSTERGATE_CRYPTO_UPSTREAM_URL: ticker.url },
  });
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(url + path, { headers });
    return [response.status, (await response.json()) as { symbol?: string; total?: number }] as const;
  };
  expect(await get('/crypto?symbol=eth')).toMatchObject([200, { symbol: 'ETH' }]);
  expect(await get('/crypto')).toMatchObject([200, { symbol: 'BTC' }]);
  expect((await get('/crypto/eth'))[0]).toBe(401);
  expect(await get('/crypto/eth', { 'X-API-Key': 'two-key' })).toMatchObject([200, { symbol: 'ETH' }]);
  expect(await get('/crypto/eth/price')).toMatchObject([200, { symbol: 'ETH' }]);
  expect((await get('/old'))[0]).toBe(404);
  expect((await get('/endpoints'))[1].total).toBe(3);
  await ticker.stop();
});

test('without endpoints.json there are no endpoints', async () => {
  const { url } = await startGateway({ files: { 'settings.json': settings } });
  expect(await (await fetch(`${url}/endpoints`)).json()).toMatchObject({ endpoints: [], total: 0 });
});
