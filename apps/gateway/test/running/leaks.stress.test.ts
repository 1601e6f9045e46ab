import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fixed, type GatewayProcess, makeFolder, startGateway, until } from './gateway-process.ts';
import { startLoad } from './load.ts';

/** The promise of reloads measures leaks of 5,000 reloads, including the heap. */
const count = 40;

const service = (answer: string) => `import { defineService, z } from 'rostergate';
export default defineService({ name: 'own', summary: 'x', parameters: z.object({}), response: z.string(), handle: () => '${answer}' });
`;
const endpointsOf = (i: number) =>
  JSON.stringify({
    endpoints: [
      fixed(i),
      { path: '/own', service: 'own' },
      ...Array.from({ length: 20 }, (_, n) => fixed(n, `/n/${i % 7}/${n}`)),
    ],
  });

async function renameOver(path: string, text: string): Promise<void> {
  await writeFile(`${path}.tmp`, text);
  await rename(`${path}.tmp`, path);
}

async function figuresOf(gateway: GatewayProcess) {
  const text = await (await gateway.fetch('/metrics')).text();
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return {
    files: figure('process_open_fds'),
    handles: figure('nodejs_active_resources_total'),
  };
}

it(`leaks no file, timer or handle in ${count} reloads, and fails no request`, async () => {
  const gateway = await startGateway(
    await makeFolder({
      'settings.json': { rate_limit_enabled: false, log_level: 'warn' },
      'endpoints.json': endpointsOf(0),
      'services/own.ts': service('even'),
    }),
    { env: { ROSTERGATE_LOG_LEVEL: 'info', ROSTERGATE_LOG_SAMPLE_EVERY: '1000000' } },
  );
  const load = startLoad(gateway.url, ['/answer', '/own', '/health'], 2);
  const path = join(gateway.folder, 'endpoints.json');
  const reload = async (i: number) => {
    await renameOver(path, endpointsOf(i));
    // Switches between two versions of a service: each is loaded once.
    if (i % 10 === 0) await renameOver(join(gateway.folder, 'services/own.ts'), service(i % 20 === 0 ? 'even' : 'odd'));
    await until(async () => (await (await gateway.fetch('/answer')).json()) === i, `reload ${i}`);
  };
  const warmUp = Math.ceil(count / 4);
  for (let i = 1; i <= warmUp; i++) await reload(i);
  const before = await figuresOf(gateway);
  for (let i = warmUp + 1; i <= count; i++) await reload(i);
  const after = await figuresOf(gateway);
  expect(after.files).toBeLessThanOrEqual(before.files + 8);
  expect(after.handles).toBeLessThanOrEqual(before.handles + 8);
  expect((await load.end()).failures).toEqual([]);
  expect(gateway.log.filter(({ level }) => level !== 'info')).toEqual([]);
});
