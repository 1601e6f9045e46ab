import { chmod, mkdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { badConfigurations, good } from '../bad-configurations.ts';
import { makeFolder, put, startGateway, until } from './gateway-process.ts';
import { startLoad } from './load.ts';

/** Set `BAD_FILES=500` for the full number of the promise. */
const count = Number(process.env.BAD_FILES ?? 30);

async function renameOver(path: string, content: string | Buffer, mode = 0o600): Promise<void> {
  await writeFile(`${path}.tmp`, content, { mode });
  await rename(`${path}.tmp`, path);
}

describe('a bad edit', () => {
  it('is rejected and logged once, without failed requests', {
    timeout: 600_000,
  }, async () => {
    const gateway = await startGateway(await makeFolder(good));
    const load = startLoad(gateway.url, ['/answer', '/health', '/openapi.json'], 2);
    const rejected = () => gateway.log.filter(({ msg }) => msg?.startsWith('configuration rejected'));
    const all = badConfigurations();
    const chosen = Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)]);
    for (const [i, bad] of chosen.entries()) {
      const { file, text, title } = bad as (typeof all)[number];
      const path = join(gateway.folder, file);
      await renameOver(path, text);
      await until(() => rejected().length === i + 1, `a rejection of ${file} ${title}`);
      expect.soft(rejected().at(-1)?.faults?.join(), `${file} ${title}`).toContain(file);
      // The next one may be in another file: this one is fixed in the same edit.
      const next = chosen[i + 1];
      if (next === undefined || next.file === file) continue;
      await renameOver(path, good[file] as string);
    }
    const { status, reason, since } = await gateway.configurationStatus();
    expect({ status, since }).toEqual({ status: 'degraded', since: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(reason).toMatch(/^Faults at \w+\.json:?\d*/);
    expect((await gateway.fetch('/health/ready')).status).toBe(200);
    const metrics = await (await gateway.fetch('/metrics')).text();
    expect(metrics).toContain(`config_reloads_total{outcome="rejected"} ${rejected().length}`);
    expect(metrics).toContain('config_reloads_total{outcome="applied"} 0');

    for (const [file, text] of Object.entries(good)) await renameOver(join(gateway.folder, file), text);
    await until(async () => (await gateway.configurationStatus()).status === 'ready');
    const { failures, answers } = await load.end();
    expect(failures).toEqual([]);
    expect(answers).toBeGreaterThan(count);
    expect(gateway.output()).not.toContain('canary');
    expect(await gateway.stop()).toBe(0);
  });

  it('is rejected if a file becomes a folder, is missing or is too large', async () => {
    const gateway = await startGateway(await makeFolder(good));
    const load = startLoad(gateway.url, ['/answer'], 2);
    const path = join(gateway.folder, 'endpoints.json');
    const reasonOf = async (faults: RegExp) => {
      const line = await until(
        () => gateway.log.findLast(({ faults: all }) => faults.test(all?.join() ?? '')),
        `${faults}`,
      );
      return line.faults;
    };
    await rm(path);
    expect(await reasonOf(/was removed/)).toHaveLength(1);
    await mkdir(path);
    expect(await reasonOf(/is a folder/)).toHaveLength(1);
    await rm(path, { recursive: true });
    await writeFile(path, '');
    await truncate(path, 65 * 1024 * 1024);
    expect(await reasonOf(/is larger than 64 MiB/)).toHaveLength(1);
    await renameOver(path, Buffer.from(`\uFEFF${good['endpoints.json']}`, 'utf16le'));
    expect(await reasonOf(/is not UTF-8/)).toHaveLength(1);
    if (process.getuid?.() !== 0 && process.platform !== 'win32') {
      await chmod(path, 0o000);
      expect(await reasonOf(/This user cannot read it/)).toHaveLength(1);
      await chmod(path, 0o600);
    }
    await renameOver(path, good['endpoints.json'] as string);
    await until(async () => (await gateway.configurationStatus()).status === 'ready');
    await until(() => gateway.log.at(-1)?.msg === 'configuration unchanged');
    expect((await load.end()).failures).toEqual([]);
  });

  it('of keys.json, a key file or the settings does not change keys', async () => {
    const gateway = await startGateway(
      await makeFolder({
        ...good,
        'settings.json': { api_keys: './ring.txt', rate_limit_enabled: false },
        'ring.txt': 'canary-ring\n',
      }),
    );
    const open = async () =>
      Promise.all(
        ['canary-ring', 'canary-ops'].map(
          async (key) => (await gateway.fetch('/auth/status', { headers: { 'X-API-Key': key } })).status,
        ),
      );
    expect(await open()).toEqual([200, 200]);
    for (const [file, text] of [
      ['ring.txt', 'two words\n'],
      ['keys.json', '{}'],
      ['settings.json', '{ "api_keys": 1 }'],
    ] as const) {
      const before = gateway.log.length;
      await renameOver(join(gateway.folder, file), text);
      await until(() => gateway.log.slice(before).find(({ msg }) => msg?.startsWith('configuration rejected')));
      expect(await open()).toEqual([200, 200]);
    }
    await put(join(gateway.folder, 'endpoints.json'), good['endpoints.json'] as string);
    expect(gateway.output()).not.toContain('canary');
  });
});
