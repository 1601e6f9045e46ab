import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { renameOver } from './edit-styles.ts';
import { fixed, makeFolder, put, startGateway, until } from './gateway-process.ts';

const pem = (name: string) => readFileSync(new URL(`../tls/${name}.pem`, import.meta.url), 'utf8');

/** Returns the name on the certificate of a new connection. */
async function shownName(url: string): Promise<string> {
  const ca = ['first', 'second'].map((name) => pem(`${name}.certificate`));
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', servername: 'localhost', ca });
  await once(socket, 'secureConnect');
  const { subject } = socket.getPeerCertificate();
  socket.destroy();
  return String(subject.CN);
}

describe('a running gateway with TLS', () => {
  it('uses a renewed certificate for new connections, and the old one while the new one is invalid', async () => {
    const folder = await makeFolder({
      'settings.json': { tls_certificate_file: 'server.pem', tls_key_file: 'server.key' },
      'endpoints.json': { endpoints: [fixed('a')] },
      'server.pem': pem('first.certificate'),
      'server.key': pem('first.key'),
    });
    const { url, log, stop } = await startGateway(folder);
    expect(await shownName(url)).toBe('first.test');
    // In one step: half of it would be rejected for another reason.
    await renameOver(join(folder, 'server.pem'), pem('second.certificate'));
    const rejected = await until(() => log.find(({ faults }) => faults !== undefined), 'a rejection');
    expect(rejected.faults).toEqual([expect.stringContaining('another certificate')]);
    expect(await shownName(url)).toBe('first.test');
    await put(join(folder, 'server.key'), pem('second.key'));
    await until(async () => (await shownName(url)) === 'second.test', 'the new certificate');
    expect(await stop()).toBe(0);
  });
});

describe('a running gateway with OpenTelemetry', () => {
  it('sends recorded traces before it exits, without secrets', async () => {
    const bodies: Buffer[] = [];
    const collector = http.createServer(async (req, res) => {
      bodies.push(await buffer(req));
      res.end();
    });
    collector.listen(0, '127.0.0.1');
    await once(collector, 'listening');
    onTestFinished(() => void collector.close());
    const { port } = collector.address() as AddressInfo;
    const endpoint = { path: '/things/{message}', service: 'echo' };
    const folder = await makeFolder({ 'settings.json': {}, 'endpoints.json': { endpoints: [endpoint] } });
    const { fetch, stop, output } = await startGateway(folder, {
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
        OTEL_SERVICE_NAME: 'front-door',
        // By default it is sent long after the test.
        OTEL_BSP_SCHEDULE_DELAY: '600000',
      },
    });
    await fetch('/things/canary?q=canary', { headers: { Authorization: 'Bearer canary' } });
    expect(bodies).toEqual([]);
    expect(await stop()).toBe(0);
    const sent = Buffer.concat(bodies).toString('latin1');
    expect(sent).toContain('GET /things/{message}');
    expect(sent).toContain('front-door');
    expect(sent).not.toContain('canary');
    expect(output()).not.toContain('canary');
  });
});
