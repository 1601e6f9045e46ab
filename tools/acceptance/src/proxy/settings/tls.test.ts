import { expect, test } from 'vitest';
import { pollUntil } from '../../poll-until.ts';
import { getOverTls, isServed, tlsPair } from '../../tls.ts';
import { startStandInProxy, withKey } from '../stand-in-proxy.ts';

test('setting tls_certificate_file, tls_key_file: serves HTTPS with HSTS and reloads a renewed certificate', async () => {
  const [first, second] = [tlsPair('first'), tlsPair('second')];
  const proxy = await startStandInProxy({
    settings: { tls_certificate_file: 'cert.pem', tls_key_file: 'key.pem' },
    files: { 'cert.pem': first.certificate, 'key.pem': first.key },
  });
  const response = await getOverTls(`${proxy.url}/v2/staffmember`, withKey.headers);
  expect(response.statusCode).toBe(200);
  expect(response.headers['strict-transport-security']).toMatch(/max-age=\d{7,}/);
  expect(await isServed(proxy.url, first)).toBe(true);
  await proxy.write('key.pem', second.key);
  await proxy.write('cert.pem', second.certificate);
  await pollUntil(() => isServed(proxy.url, second), { withinMs: 10_000, describe: proxy.output });
});
