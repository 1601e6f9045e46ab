import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startGateway } from '../../gateway-process.ts';
import { startTickerStandIn } from '../../ticker-stand-in.ts';

const fixed = { path: '/api/fixed', service: 'static', parameters: { answer: 'first' } };
const other = { ...fixed, parameters: { answer: 'second' } };

const greet = (text: string) => `
import { defineService, z } from 'rostergate';

export default defineService({
  name: 'greet',
  summary: 'A greeting',
  parameters: z.object({ name: z.string().min(2).meta({ description: 'Name to greet.' }) }),
  response: z.object({ message: z.string() }),
  handle: ({ name }) => ({ message: \`${text}, \${name}.\` }),
});
`;

test('setting endpoints_file: is relative to settings.json', async () => {
  const { call } = await startGateway({
    settings: { endpoints_file: 'more/routes.json' },
    files: { 'more/routes.json': JSON.stringify({ endpoints: [fixed] }) },
  });
  expect((await call('/api/fixed')).body).toBe('first');
});

test('setting services_dir: a service in it is validated, documented and reloaded', async () => {
  const gateway = await startGateway({
    settings: { services_dir: 'own' },
    endpoints: [{ path: '/api/greet', service: 'greet' }],
    files: { 'own/greet.ts': greet('Hello') },
  });
  expect((await gateway.call('/api/greet?name=Ada')).body).toEqual({ message: 'Hello, Ada.' });
  expect((await gateway.call('/api/greet?name=A')).status).toBe(400);
  expect((await gateway.call('/api/greet')).status).toBe(400);
  const { parameters } = (await gateway.call('/openapi.json')).body.paths['/api/greet'].get;
  expect(parameters).toMatchObject([{ name: 'name', in: 'query', required: true, description: 'Name to greet.' }]);
  await gateway.write('own/greet.ts', greet('Good day'));
  await gateway.logged(({ msg }) => msg === 'configuration applied');
  expect((await gateway.call('/api/greet?name=Ada')).body).toEqual({ message: 'Good day, Ada.' });
});

test('setting service_timeout_ms: a late service is 503 and its signal aborts', async () => {
  const slow = `
import { appendFileSync } from 'node:fs';
import { defineService, z } from 'rostergate';

export default defineService({
  name: 'slow',
  summary: 'Never answers',
  parameters: z.object({}),
  response: z.string(),
  handle: (_, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        appendFileSync(new URL('aborted.txt', import.meta.url), 'aborted');
        reject(new Error('stopped'));
      });
    }),
});
`;
  const thenable = `
import { defineService, z } from 'rostergate';

export default defineService({
  name: 'thenable',
  summary: 'Never answers, and is no Promise, as the queries of some libraries are not',
  parameters: z.object({}),
  response: z.string(),
  handle: () => ({ then() {} }) as Promise<string>,
});
`;
  const gateway = await startGateway({
    settings: { service_timeout_ms: 200 },
    endpoints: ['slow', 'thenable'].map((service) => ({ path: `/api/${service}`, service })),
    files: { 'services/slow.ts': slow, 'services/thenable.ts': thenable },
  });
  for (const path of ['/api/slow', '/api/thenable']) {
    const { status, body } = await gateway.call(path);
    expect([path, status, body.code]).toEqual([path, 503, 'unavailable']);
  }
  expect(await readFile(join(gateway.folder, 'services/aborted.txt'), 'utf8')).toBe('aborted');
});

test('setting reload_enabled: true applies a valid edit, and rejects and reports an invalid one', async () => {
  const gateway = await startGateway({ endpoints: [fixed] });
  await gateway.write('endpoints.json', { endpoints: [other] });
  await gateway.logged(({ msg }) => msg === 'configuration applied');
  expect((await gateway.call('/api/fixed')).body).toBe('second');
  await gateway.write('endpoints.json', '{ "endpoints": [');
  const { msg, ...line } = await gateway.logged(({ level }) => level === 'error');
  expect(JSON.stringify([msg, line])).toContain('endpoints.json');
  expect((await gateway.call('/api/fixed')).body).toBe('second');
  const ready = await gateway.call('/health/ready');
  expect([ready.status, ready.body.status]).toEqual([200, 'degraded']);
  expect(JSON.stringify(ready.body.dependencies.configuration)).toContain('endpoints.json');
});

test('setting reload_enabled: false applies edits at SIGHUP', async () => {
  const gateway = await startGateway({ settings: { reload_enabled: false }, endpoints: [fixed] });
  await gateway.write('endpoints.json', { endpoints: [other] });
  expect((await gateway.call('/api/fixed')).body).toBe('first');
  gateway.child.kill('SIGHUP');
  await gateway.logged(({ msg }) => msg === 'configuration applied');
  expect((await gateway.call('/api/fixed')).body).toBe('second');
});

test('setting crypto_upstream_url: is the source of the service crypto', async () => {
  const ticker = await startTickerStandIn();
  const { call } = await startGateway({
    settings: { crypto_upstream_url: ticker.url },
    endpoints: [{ path: '/api/crypto', service: 'crypto' }],
  });
  // While the ticker service is late, the figures are those of the snapshot.
  await expect
    .poll(async () => (await call('/api/crypto?symbol=ETH')).body)
    .toMatchObject({ symbol: 'ETH', source: 'live' });
  await ticker.stop();
});
