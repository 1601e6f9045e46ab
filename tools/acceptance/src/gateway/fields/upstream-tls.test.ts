import type { ServerOptions } from 'node:https';
import { expect, onTestFinished, test } from 'vitest';
import { startGateway } from '../../gateway-process.ts';
import { pollUntil } from '../../poll-until.ts';
import { shareGateway } from '../../shared-gateway.ts';
import { startTlsListener, upstreamPem } from '../../upstream-certificates.ts';

/** An HTTPS upstream that counts the requests that arrive. */
async function startUpstream(certificate: string, options?: ServerOptions) {
  const state = { served: 0 };
  const listener = await startTlsListener(
    certificate,
    (_req, res) => {
      state.served++;
      res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    },
    options,
  );
  onTestFinished(listener.stop);
  return Object.assign(state, listener);
}

// The only switch of Node for this does not work either.
const gateways = shareGateway({ NODE_TLS_REJECT_UNAUTHORIZED: '0' });

const files = {
  'tls/ca.pem': upstreamPem('ca'),
  'tls/client.pem': upstreamPem('client'),
  'tls/client.key': upstreamPem('client.key'),
};
const ca = { ca_file: 'tls/ca.pem' };
const client = { certificate_file: 'tls/client.pem', key_file: 'tls/client.key' };
const endpointOf = (url: string, tls: object | undefined, more: object = {}) => ({
  path: '/api/n',
  service: 'http',
  upstream: { targets: [url], retries: 0, ...(tls === undefined ? {} : { tls }), ...more },
});

test('field upstream: tls trusts a private CA, and no other', async () => {
  const upstream = await startUpstream('server');
  const gateway = await gateways.serve({
    files,
    endpoints: [endpointOf(upstream.url, ca), { ...endpointOf(upstream.url, undefined), path: '/api/untrusted' }],
  });
  expect((await gateway.call('/api/n')).status).toBe(200);
  const { status, body } = await gateway.call('/api/untrusted');
  expect([status, body.code, body.detail]).toEqual([502, 'upstream_failed', expect.stringContaining('certificate')]);
  expect(upstream.served).toBe(1);
});

test.each([
  ['of another CA', 'other-server', ca],
  ['with another name', 'misnamed', ca],
  ['that has expired', 'expired', ca],
  ['without the wanted name', 'server', { ...ca, server_name: 'inner.example' }],
])('field upstream: tls answers 502 for a certificate %s, and sends nothing', async (_case, certificate, tls) => {
  const upstream = await startUpstream(certificate);
  const gateway = await gateways.serve({
    files,
    endpoints: [endpointOf(upstream.url, tls)],
  });
  const { status, body } = await gateway.call('/api/n');
  expect([status, body.code]).toEqual([502, 'upstream_failed']);
  expect(upstream.served).toBe(0);
});

test('field upstream: tls server_name is the name that the certificate must have', async () => {
  const upstream = await startUpstream('misnamed');
  const gateway = await gateways.serve({
    files,
    endpoints: [endpointOf(upstream.url, { ...ca, server_name: 'inner.example' })],
  });
  expect((await gateway.call('/api/n')).status).toBe(200);
});

test('field upstream: tls presents the client certificate, and health checks do too', async () => {
  const upstream = await startUpstream('server', { requestCert: true, ca: upstreamPem('ca') });
  const health = { path: '/up', interval_ms: 100 };
  const gateway = await gateways.serve({
    files,
    endpoints: [
      endpointOf(upstream.url, { ...ca, ...client }, { health }),
      { ...endpointOf(upstream.url, ca), path: '/api/anonymous' },
    ],
  });
  expect((await gateway.call('/api/n')).status).toBe(200);
  expect((await gateway.call('/api/anonymous')).status).toBe(502);
  await pollUntil(() => upstream.served >= 4, { withinMs: 20_000, describe: gateway.output });
});

test('field upstream: tls files are renewed on change, without a failed request', async () => {
  const upstream = await startUpstream('server', { requestCert: true, ca: upstreamPem('ca') });
  const gateway = await startGateway({ files, endpoints: [endpointOf(upstream.url, { ...ca, ...client })] });
  expect((await gateway.call('/api/n')).status).toBe(200);
  await gateway.write('tls/ca.pem', upstreamPem('ca') + upstreamPem('other-ca'));
  await gateway.logged(({ msg }) => msg === 'configuration applied');
  upstream.present('other-server');
  expect((await gateway.call('/api/n')).status).toBe(200);
  // A key of another certificate is rejected, and the old pair stays in use.
  await gateway.write('tls/client.key', upstreamPem('server.key'));
  await gateway.logged(({ msg }) => msg === 'configuration rejected, nothing has changed');
  expect((await gateway.call('/api/n')).status).toBe(200);
});

test('field upstream: tls works with workers', async () => {
  const upstream = await startUpstream('server');
  const gateway = await startGateway({
    settings: { workers: 2 },
    files,
    endpoints: [endpointOf(upstream.url, { ...ca, ...client })],
  });
  for (let i = 0; i < 6; i++) {
    const response = await fetch(`${gateway.url}/api/n`, { headers: { Connection: 'close' } });
    expect(response.status).toBe(200);
  }
});

test.each<[string, object, Record<string, string>, string, string]>([
  ['a key of another certificate', client, { 'tls/client.key': upstreamPem('server.key') }, 'client.key', 'match'],
  ['an expired certificate', client, { 'tls/client.pem': upstreamPem('expired') }, 'client.pem', 'renew it'],
  ['a CA that is none', ca, { 'tls/ca.pem': 'none' }, 'ca.pem', 'PEM'],
  ['an expired CA', ca, { 'tls/ca.pem': upstreamPem('expired') }, 'ca.pem', 'renew them'],
  ['an absent file', { ca_file: 'tls/no.pem' }, {}, 'no.pem', 'correct ca_file'],
  ['a certificate without its key', { certificate_file: 'tls/client.pem' }, {}, 'endpoints.json', 'key_file'],
])(
  'field upstream: tls with %s is a fault that names the file and the remedy',
  async (_case, tls, more, file, words) => {
    const faults = await gateways.reject({
      files: { ...files, ...more },
      endpoints: [endpointOf('https://a.example', tls)],
    });
    expect(faults).toContain(file);
    expect(faults).toContain(words);
    expect(faults).not.toContain('PRIVATE KEY');
  },
);

test('field upstream: tls needs https targets', async () => {
  expect(await gateways.reject({ files, endpoints: [endpointOf('http://a.example', ca)] })).toContain('https://');
});
