import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { connect } from 'node:tls';
import { expect, test } from 'vitest';
import { pollUntil } from '../../poll-until.ts';
import { startStandInProxy, withKey } from '../stand-in-proxy.ts';

/** A certificate and its key, good for a hundred years. */
function tlsPair(name: 'first' | 'second') {
  const read = (part: string) =>
    readFileSync(new URL(`../../../../../packages/server/test/tls/${name}.${part}.pem`, import.meta.url), 'utf8');
  return { certificate: read('certificate'), key: read('key') };
}

test('setting tls_certificate_file, tls_key_file: serves HTTPS with HSTS, and takes up a renewed certificate while it serves', async () => {
  const [first, second] = [tlsPair('first'), tlsPair('second')];
  const proxy = await startStandInProxy({
    settings: { tls_certificate_file: 'cert.pem', tls_key_file: 'key.pem' },
    files: { 'cert.pem': first.certificate, 'key.pem': first.key },
  });
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { rejectUnauthorized: false, headers: withKey.headers };
    request(`${proxy.url}/v2/staffmember`, options, resolve).on('error', reject).end();
  });
  answer.resume();
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['strict-transport-security']).toMatch(/max-age=\d{7,}/);
  const isServed = ({ certificate }: { certificate: string }) =>
    new Promise<boolean>((resolve) => {
      const port = Number(new URL(proxy.url).port);
      const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
        resolve(socket.getPeerX509Certificate()?.toString() === new X509Certificate(certificate).toString());
        socket.destroy();
      });
      socket.on('error', () => resolve(false));
    });
  expect(await isServed(first)).toBe(true);
  await proxy.write('key.pem', second.key);
  await proxy.write('cert.pem', second.certificate);
  await pollUntil(() => isServed(second), { withinMs: 10_000, describe: proxy.output });
});
