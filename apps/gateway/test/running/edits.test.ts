import { readFile, rename, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { editStyles, renameOver, swapFolder } from './edit-styles.ts';
import { fixed, type GatewayProcess, makeFolder, put, startGateway, until } from './gateway-process.ts';
import { startLoad } from './load.ts';

const settings = { rate_limit_enabled: false };
const text = (answer: string) => JSON.stringify({ endpoints: [fixed(answer)] });

let edits = 0;
/** Versions differ only in content, not in size. */
const nextAnswer = () => `answer-${String(edits++).padStart(3, '0')}`;

/** The promise of edit styles measures how soon an edit is live. */
async function untilLive(gateway: GatewayProcess, edit: (answer: string) => Promise<void>) {
  const answer = nextAnswer();
  await edit(answer);
  await until(async () => (await (await gateway.fetch('/answer')).json()) === answer, `the answer ${answer}`);
}

describe('an edit of endpoints.json', () => {
  it('is live with every edit style, without failed requests', async () => {
    const folder = await makeFolder({ 'settings.json': settings, 'endpoints.json': text('old') });
    const gateway = await startGateway(folder);
    const load = startLoad(gateway.url, ['/answer', '/health', '/endpoints']);
    const path = join(folder, 'endpoints.json');
    for (const edit of Object.values(editStyles)) await untilLive(gateway, (answer) => edit(path, text(answer)));
    // A busy machine answers few requests while the edits take effect.
    await until(() => load.answers() > 100, 'more than 100 answers');
    const { failures, answers: count } = await load.end();
    expect(failures).toEqual([]);
    expect(count).toBeGreaterThan(100);
  });

  it('is live in a mounted folder whose files change together', async () => {
    const folder = await makeFolder({});
    await swapFolder(folder, { 'settings.json': JSON.stringify(settings), 'endpoints.json': text('old') });
    for (const name of ['settings.json', 'endpoints.json']) await symlink(join('..data', name), join(folder, name));
    const gateway = await startGateway(folder);
    const load = startLoad(gateway.url, ['/answer', '/health']);
    const swap = (answer: string) =>
      swapFolder(folder, { 'settings.json': JSON.stringify(settings), 'endpoints.json': text(answer) });
    await untilLive(gateway, swap);
    await untilLive(gateway, swap);
    expect((await load.end()).failures).toEqual([]);
  });

  it('is live if the whole folder is replaced', async () => {
    const root = await makeFolder({ 'conf/settings.json': settings, 'conf/endpoints.json': text('old') });
    const gateway = await startGateway(join(root, 'conf'));
    const replace = async (answer: string) => {
      await put(join(root, `${answer}/settings.json`), settings);
      await put(join(root, `${answer}/endpoints.json`), text(answer));
      await rename(join(root, 'conf'), join(root, `gone-${answer}`));
      await rename(join(root, answer), join(root, 'conf'));
    };
    await untilLive(gateway, replace);
    await untilLive(gateway, replace);
  });

  it('that changes nothing does nothing', async () => {
    const folder = await makeFolder({ 'settings.json': settings, 'endpoints.json': text('old') });
    const gateway = await startGateway(folder);
    const path = join(folder, 'endpoints.json');
    await utimes(path, new Date(), new Date());
    // Without emptying the file first, which would be an edit if the next write came late.
    await writeFile(path, await readFile(path), { flag: 'r+' });
    await renameOver(path, text('old'));
    await writeFile(join(dirname(path), 'other.json'), '{');
    await until(async () => (await gateway.configurationStatus()).status === 'ready');
    await writeFile(path, text('new'), { flag: 'r+' });
    await until(async () => (await (await gateway.fetch('/answer')).json()) === 'new');
    await until(() => gateway.log.at(-1)?.msg === 'configuration applied');
    expect(gateway.log.map(({ msg }) => msg)).toEqual(['listening', 'configuration applied']);
  });

  it('that is half written is rejected only if it stays so', async () => {
    const folder = await makeFolder({ 'settings.json': settings, 'endpoints.json': text('old') });
    const gateway = await startGateway(folder);
    const path = join(folder, 'endpoints.json');
    const whole = text('new');
    await writeFile(path, whole.slice(0, 20));
    await until(async () => (await gateway.configurationStatus()).status === 'degraded');
    expect(await (await gateway.fetch('/answer')).json()).toBe('old');
    await writeFile(path, whole);
    await until(async () => (await gateway.configurationStatus()).status === 'ready');
    expect(await (await gateway.fetch('/answer')).json()).toBe('new');
  });
});

describe('an edit of a contract', () => {
  it('of an endpoint is live, and rejected if the operation is missing', async () => {
    const contract = (operationId: string, name: string) =>
      JSON.stringify({
        openapi: '3.0.3',
        info: { title: 'Pets', version: '1' },
        paths: {
          '/pets': {
            get: {
              operationId,
              parameters: [{ name, in: 'query', schema: { type: 'integer' } }],
              responses: { 200: { description: 'Pets' } },
            },
          },
        },
      });
    const folder = await makeFolder({
      'settings.json': settings,
      'endpoints.json': {
        endpoints: [{ ...fixed('pets'), contract: { document: 'contracts/pets.json', operation_id: 'listPets' } }],
      },
      'contracts/pets.json': contract('listPets', 'limit'),
    });
    const gateway = await startGateway(folder);
    const path = join(folder, 'contracts/pets.json');
    expect((await gateway.fetch('/answer?limit=x')).status).toBe(400);
    expect((await gateway.fetch('/answer?limit=1')).status).toBe(200);
    await renameOver(path, contract('listPets', 'count'));
    await until(async () => (await gateway.fetch('/answer?count=1')).status === 200);
    expect((await gateway.fetch('/answer?limit=1')).status).toBe(400);
    await renameOver(path, contract('listDogs', 'count'));
    const { reason } = await until(async () => {
      const status = await gateway.configurationStatus();
      return status.status === 'degraded' ? status : undefined;
    });
    expect(reason).toContain('endpoints[0].contract.operation_id');
    expect((await gateway.fetch('/answer?count=1')).status).toBe(200);
  });
});
