import { expect, test } from 'vitest';
import { goodKey, startGateway } from '../../gateway-process.ts';
import { pollUntil } from '../../poll-until.ts';
import { livingWorkers } from '../../promises/worker-lines.ts';
import { getOverTls, isServed, tlsPair } from '../../tls.ts';

const files = { tls_certificate_file: 'cert.pem', tls_key_file: 'key.pem' };

test('setting tls_certificate_file: serves only HTTPS, with HSTS, and reloads a renewed certificate', async () => {
  const [first, second] = [tlsPair('first'), tlsPair('second')];
  const gateway = await startGateway({
    settings: files,
    files: { 'cert.pem': first.certificate, 'key.pem': first.key },
  });
  const response = await getOverTls(`${gateway.url}/health/live`);
  expect(response.statusCode).toBe(200);
  expect(response.headers['strict-transport-security']).toMatch(/max-age=\d{7,}/);
  const plain = await fetch(gateway.url.replace('https', 'http')).then(
    ({ status }) => status,
    () => 'closed',
  );
  expect([400, 'closed']).toContain(plain);

  expect(await isServed(gateway.url, first)).toBe(true);
  await gateway.write('key.pem', second.key);
  await gateway.write('cert.pem', second.certificate);
  await pollUntil(() => isServed(gateway.url, second), {
    withinMs: 10_000,
    describe: gateway.output,
  });
});

test('setting tls_certificate_file: an edit switches TLS on or off at the next start, also in new workers', async () => {
  const pair = tlsPair('first');
  const common = { workers: 2, rate_limit_enabled: false, api_keys: goodKey };
  const serves = async (before: object, after: object) => {
    const gateway = await startGateway({
      settings: { ...common, ...before },
      files: { 'cert.pem': pair.certificate, 'key.pem': pair.key },
    });
    await gateway.write('settings.json', { ...common, ...after });
    await gateway.logged(({ msg }) => msg === 'takes effect at the next start');
    for (const pid of livingWorkers(gateway)) {
      process.kill(pid, 'SIGKILL');
      const isReplaced = () => livingWorkers(gateway).length === 2 && !livingWorkers(gateway).includes(pid);
      await pollUntil(isReplaced, { withinMs: 60_000, describe: gateway.output });
    }
    const plain = await fetch(`${gateway.url.replace('https', 'http')}/health/live`).then(
      ({ status }) => status,
      () => 'closed',
    );
    return { plain: plain === 200, tls: await isServed(gateway.url, pair) };
  };
  expect(await serves(files, {})).toEqual({ plain: false, tls: true });
  expect(await serves({}, files)).toEqual({ plain: true, tls: false });
});

test('setting tls_key_file: a missing or mismatched file prevents the start', async () => {
  const [one, other] = [tlsPair('first'), tlsPair('second')];
  await expect(startGateway({ settings: { tls_key_file: 'key.pem' }, files: { 'key.pem': one.key } })).rejects.toThrow(
    /tls_certificate_file/,
  );
  await expect(
    startGateway({ settings: files, files: { 'cert.pem': one.certificate, 'key.pem': other.key } }),
  ).rejects.toThrow(/key\.pem|tls_key_file/);
});
