import gatewaySpec from '@rostergate/gateway-spec/openapi.json' with { type: 'json' };
import { createStaffClient } from '@rostergate/staff-client';
import { describe, expect, test } from 'vitest';
// Tools may import files that packages do not export.
import { settingsSchema as schedulingSettings } from '../../../../apps/scheduling/src/settings.ts';
import { settingsSchema as proxySettings } from '../../../../apps/staff-proxy/src/settings.ts';
import { faults } from '../faults/faults.ts';
import { keyOf } from '../faults/spawn-faulted-proxy.ts';
import { pollUntil } from '../poll-until.ts';
import { startChain } from './start-chain.ts';

describe('one retry budget', () => {
  test.for([
    ['is overloaded', 503],
    ['resets on a request', 502],
    ['closes without a response', 502],
  ] as const)('only the proxy retries an upstream that %s', async ([name, expected]) => {
    const { gateway, upstream } = await startChain();
    upstream.use(faults[name]);
    const { status, headers } = await gateway.call('/api/staff');
    expect(status).toBe(expected);
    expect(headers.get('Proxy-Status')).toMatch(/^rostergate; (error|received-status)=/);
    // One request and the two retries of the proxy; the gateway does not retry.
    expect(upstream.requests).toHaveLength(3);
  });

  test('the gateway retries an unreachable proxy', async () => {
    const { gateway, proxy } = await startChain();
    await proxy.stop();
    const { status, headers } = await gateway.call('/api/staff');
    expect([status, headers.get('Proxy-Status')]).toEqual([502, 'rostergate; error=destination_unavailable']);
  });

  test('the client does not multiply the retries of the servers', async () => {
    const { proxy, upstream } = await startChain();
    upstream.use(faults['resets on a request']);
    const client = createStaffClient({ baseUrl: proxy.url, key: keyOf('chain') });
    await expect(client.listStaffMembers()).rejects.toMatchObject({ status: 502 });
    expect(upstream.requests).toHaveLength(3);
  });
});

describe('Retry-After', () => {
  test('of an upstream that limits the account reaches the client of the gateway', async () => {
    const { gateway, upstream } = await startChain();
    upstream.use(faults['is over its limit for an hour']);
    const { status, headers } = await gateway.call('/api/staff');
    expect([status, headers.get('Retry-After')]).toEqual([503, '3600']);
  });

  test('of an unavailable upstream reaches the client of the gateway', async () => {
    const { gateway, upstream } = await startChain();
    upstream.use(faults['is overloaded']);
    const { status, headers } = await gateway.call('/api/staff');
    expect([status, headers.get('Retry-After')]).toEqual([503, '1']);
  });

  test('of the limit of the proxy reaches the client of the gateway, with 429', async () => {
    const { gateway } = await startChain({
      proxySettings: { rate_limit_enabled: true, rate_limit_per_minute_authenticated: 2 },
    });
    for (let i = 0; i < 2; i++) expect((await gateway.call('/api/staff')).status).toBe(200);
    const { status, headers } = await gateway.call('/api/staff');
    expect(status).toBe(429);
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(30);
  });
});

describe('deadlines', () => {
  test('shrink inwards, so that the innermost server reports the timeout', () => {
    const gatewayMs = gatewaySpec.components.schemas.EndpointUpstream.properties.timeout_ms.default;
    const { upstream_timeout_ms: proxyMs } = proxySettings.parse({});
    const { statement_timeout_ms: statementMs } = schedulingSettings.parse({});
    expect(gatewayMs).toBeGreaterThanOrEqual(proxyMs + 5_000);
    expect(proxyMs).toBeGreaterThanOrEqual(statementMs + 5_000);
  });

  test('a client that disconnects ends the request at the upstream before any deadline', async () => {
    const { gateway, upstream } = await startChain();
    expect((await gateway.call('/api/staff')).status).toBe(200);
    upstream.use(faults['never responds']);
    const seen = upstream.requests.length;
    const leaving = new AbortController();
    const asked = fetch(`${gateway.url}/api/staff`, { signal: leaving.signal });
    await pollUntil(() => upstream.requests.length > seen, {
      withinMs: 10_000,
      describe: () => 'the upstream received no request',
    });
    const open = upstream.openSockets();
    leaving.abort();
    await expect(asked).rejects.toThrow('aborted');
    await pollUntil(() => upstream.openSockets() < open, {
      // The deadlines are 15 s and longer.
      withinMs: 10_000,
      describe: () => 'the connection to the upstream is still open',
    });
  });
});
