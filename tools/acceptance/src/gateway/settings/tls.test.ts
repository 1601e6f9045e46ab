import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { connect } from 'node:tls';
import { expect, test } from 'vitest';
import { startGateway } from '../../gateway-process.ts';
import { pollUntil } from '../../poll-until.ts';

/** A certificate and its key, good for a hundred years. */
function tlsPair(name: 'first' | 'second') {
  const read = (part: string) =>
    readFileSync(new URL(`../../../../../packages/server/test/tls/${name}.${part}.pem`, import.meta.url), 'utf8');
  return { certificate: read('certificate'), key: read('key') };
}

const files = { tls_certificate_file: 'cert.pem', tls_key_file: 'key.pem' };

test('setting tls_certificate_file: serves HTTPS alone, with HSTS, and takes up a renewed one', async () => {
  const [first, second] = [tlsPair('first'), tlsPair('second')];
  const gateway = await startGateway({
    settings: files,
    files: { 'cert.pem': first.certificate, 'key.pem': first.key },
  });
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${gateway.url}/health/live`, { rejectUnauthorized: false }, resolve).on('error', reject).end();
  });
  answer.resume();
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['strict-transport-security']).toMatch(/max-age=\d{7,}/);
  const plain = await fetch(gateway.url.replace('https', 'http')).then(
    ({ status }) => status,
    () => 'closed',
  );
  expect([400, 'closed']).toContain(plain);

  const isServed = ({ certificate }: { certificate: string }) =>
    new Promise<boolean>((resolve) => {
      const port = Number(new URL(gateway.url).port);
      const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
        resolve(socket.getPeerX509Certificate()?.toString() === new X509Certificate(certificate).toString());
        socket.destroy();
      });
      socket.on('error', () => resolve(false));
    });
  expect(await isServed(first)).toBe(true);
  await gateway.write('key.pem', second.key);
  await gateway.write('cert.pem', second.certificate);
  await pollUntil(() => isServed(second), {
    withinMs: 10_000,
    describe: gateway.output,
  });
});

test('setting tls_key_file: one without the other, or of another certificate, stops the boot', async () => {
  const [one, other] = [tlsPair('first'), tlsPair('second')];
  await expect(startGateway({ settings: { tls_key_file: 'key.pem' }, files: { 'key.pem': one.key } })).rejects.toThrow(
    /tls_certificate_file/,
  );
  await expect(
    startGateway({ settings: files, files: { 'cert.pem': one.certificate, 'key.pem': other.key } }),
  ).rejects.toThrow(/key\.pem|tls_key_file/);
});
