import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renameOver } from './edit-styles.ts';
import { fixed, makeFolder, put, spawnGateway, startGateway, until } from './gateway-process.ts';

const settings = { rate_limit_enabled: false };

/** Responds with its version once the file of the query exists, and creates another file when it starts. */
const slow = (version: string) => `import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { defineService, z } from 'rostergate';

export default defineService({
  name: 'slow', summary: 'x', parameters: z.object({ gate: z.string() }), response: z.string(),
  async handle({ gate }) {
    writeFileSync(gate + '.begun', '');
    while (!existsSync(gate)) await wait(5);
    return '${version}';
  },
});
`;
const slowEndpoint = { path: '/slow', service: 'slow' };
const files = {
  'settings.json': settings,
  'endpoints.json': { endpoints: [slowEndpoint, fixed('old')] },
  'services/slow.ts': slow('old'),
};

describe('a request in flight', () => {
  it('finishes with its configuration and service; the next one uses the new ones', async () => {
    const gateway = await startGateway(await makeFolder(files));
    const gate = join(gateway.folder, 'gate');
    const answer = gateway.fetch(`/slow?gate=${encodeURIComponent(gate)}`);
    await until(() => existsSync(`${gate}.begun`));
    await put(join(gateway.folder, 'services/slow.ts'), slow('new'));
    await put(join(gateway.folder, 'endpoints.json'), {
      endpoints: [{ ...slowEndpoint, path: '/slower' }, fixed('new')],
    });
    await until(async () => (await (await gateway.fetch('/answer')).json()) === 'new');
    expect((await gateway.fetch(`/slow?gate=${encodeURIComponent(gate)}`)).status).toBe(404);
    await writeFile(gate, '');
    expect(await (await answer).json()).toBe('old');
    expect(await (await gateway.fetch(`/slower?gate=${encodeURIComponent(gate)}`)).json()).toBe('new');
  });
});

describe('SIGTERM', () => {
  it('lets requests in flight finish during a reload', async () => {
    const gateway = await startGateway(await makeFolder(files));
    const gate = join(gateway.folder, 'gate');
    const answer = gateway.fetch(`/slow?gate=${encodeURIComponent(gate)}`);
    await until(() => existsSync(`${gate}.begun`));
    await put(join(gateway.folder, 'endpoints.json'), {
      endpoints: [slowEndpoint, ...Array.from({ length: 2_000 }, (_, i) => fixed(i, `/answer/${i}`))],
    });
    gateway.child.kill('SIGHUP');
    const ended = gateway.stop();
    await writeFile(gate, '');
    expect(await (await answer).json()).toBe('old');
    expect(await ended).toBe(0);
    expect(gateway.log.at(-1)).toMatchObject({ msg: 'stopped', signal: 'SIGTERM', cut_connections: 0 });
  });

  it('does not wait for a revalidation in the background, and closes its service', async () => {
    const service = `import { writeFileSync } from 'node:fs';
import { defineRawService } from 'rostergate';

let calls = 0;
const headers = { 'Cache-Control': 'max-age=0, stale-while-revalidate=60' };
const file = (name) => new URL(name, import.meta.url);
export default defineRawService({
  name: 'stuck', summary: 'x',
  open: () => ({
    async handle() {
      if (++calls > 1) {
        writeFileSync(file('begun'), '');
        await new Promise(() => setInterval(() => {}, 1e3));
      }
      return { status: 200, raw: 'a', contentType: 'text/plain', headers };
    },
    close: () => writeFileSync(file('closed'), ''),
  }),
});
`;
    const gateway = await startGateway(
      await makeFolder({
        'settings.json': { ...settings, drain_ms: 60_000 },
        'endpoints.json': { endpoints: [{ path: '/stuck', service: 'stuck', cache_seconds: 60 }] },
        'services/stuck.ts': service,
      }),
    );
    for (let i = 0; i < 2; i++) expect(await (await gateway.fetch('/stuck')).text()).toBe('a');
    await until(() => existsSync(join(gateway.folder, 'services/begun')));
    const startedMs = performance.now();
    expect(await gateway.stop()).toBe(0);
    expect(performance.now() - startedMs).toBeLessThan(20_000);
    expect(existsSync(join(gateway.folder, 'services/closed'))).toBe(true);
  });

  it('stops a server that does not listen yet', async () => {
    const waiting =
      "import { writeFileSync } from 'node:fs';\nwriteFileSync(new URL('begun', import.meta.url), '');\nsetInterval(() => {}, 1e3);\nawait new Promise(() => {});";
    const folder = await makeFolder({ ...files, 'services/slow.ts': waiting });
    const { child, ended, log, output } = spawnGateway(folder);
    await until(() => existsSync(join(folder, 'services/begun')));
    const startedMs = performance.now();
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(performance.now() - startedMs).toBeLessThan(15_000);
    expect(log, output()).toEqual([]);
  });

  it('stops a server whose services keep running', async () => {
    const restless = `setInterval(() => {}, 50);\n${slow('old')}`;
    const gateway = await startGateway(await makeFolder({ ...files, 'services/slow.ts': restless }));
    expect(await gateway.stop()).toBe(0);
  });
});

describe('SIGHUP', () => {
  it('reloads at once, even if edits are not watched', async () => {
    const gateway = await startGateway(
      await makeFolder({ ...files, 'settings.json': { ...settings, reload_enabled: false } }),
    );
    await put(join(gateway.folder, 'endpoints.json'), { endpoints: [fixed('new')] });
    gateway.child.kill('SIGHUP');
    await until(() => gateway.log.find(({ msg }) => msg === 'configuration applied'));
    expect(await (await gateway.fetch('/answer')).json()).toBe('new');
    gateway.child.kill('SIGHUP');
    await until(() => gateway.log.find(({ msg }) => msg === 'configuration unchanged'));
    await put(join(gateway.folder, 'settings.json'), settings);
    gateway.child.kill('SIGHUP');
    await until(() => gateway.log.filter(({ msg }) => msg === 'configuration applied').length === 2);
    // In one step: half of it would be another edit.
    await renameOver(join(gateway.folder, 'endpoints.json'), JSON.stringify({ endpoints: [fixed('newer')] }));
    await until(async () => (await (await gateway.fetch('/answer')).json()) === 'newer');
    await until(() => gateway.log.at(-1)?.trigger === 'edit');
    expect(gateway.log.map(({ trigger }) => trigger)).toEqual([undefined, 'SIGHUP', 'SIGHUP', 'SIGHUP', 'edit']);
  });

  it('does not stop a server that is starting', async () => {
    const folder = await makeFolder({
      ...files,
      'services/slow.ts': `${slow('old')}\nwriteFileSync(new URL('begun', import.meta.url), '');\n`,
    });
    const { child, log } = spawnGateway(folder);
    await until(() => existsSync(join(folder, 'services/begun')));
    child.kill('SIGHUP');
    await until(() => log.find(({ trigger }) => trigger === 'SIGHUP') ?? log.find(({ msg }) => msg === 'listening'));
    await until(() => log.find(({ msg }) => msg === 'listening'));
    expect(child.exitCode).toBeNull();
  });
});

describe('a setting', () => {
  it('that requires a restart is logged once; every other is live', async () => {
    const gateway = await startGateway(await makeFolder(files), {
      env: { ROSTERGATE_PORT: '' },
      args: ['--port', '0'],
    });
    const at = join(gateway.folder, 'settings.json');
    // In one step: half of an edit would be rejected.
    await renameOver(at, JSON.stringify({ ...settings, host: 'localhost', drain_ms: 1, enable_docs: false }));
    const line = await until(() => gateway.log.find(({ msg }) => msg === 'takes effect at the next start'));
    expect(line).toMatchObject({ level: 'warn', settings: ['host'] });
    await until(async () => (await gateway.fetch('/docs')).status === 404);
    await renameOver(at, JSON.stringify({ ...settings, host: 'localhost', log_level: 'silent' }));
    await until(async () => (await gateway.fetch('/docs')).status === 200);
    await put(at, '{');
    await until(async () => (await gateway.configurationStatus()).status === 'degraded');
    await put(at, settings);
    await until(() => gateway.log.at(-1)?.msg === 'configuration applied');
    expect(gateway.log.filter(({ msg }) => msg?.startsWith('takes effect'))).toHaveLength(1);
    expect(gateway.log.filter(({ msg }) => msg?.includes('rejected'))).toEqual([]);
    expect(await readFile(at, 'utf8')).toContain('rate_limit_enabled');
  });
});

describe('serve --reload', () => {
  it('restarts when code changes that a reload does not load, and stops with its parent', async () => {
    const folder = await makeFolder({
      ...files,
      'outside.ts': "export const answer: string = 'one';",
      'endpoints.json': { endpoints: [{ path: '/outside', service: 'outside' }] },
      'services/outside.ts': `import { defineService, z } from 'rostergate';
import { answer } from '../outside.ts';
export default defineService({
  name: 'outside', summary: 'x', parameters: z.object({}), response: z.string(), handle: () => answer,
});`,
    });
    const { child, log, ended, output } = spawnGateway(folder, { args: ['--reload'] });
    const ask = async () => {
      const line = log.findLast(({ msg }) => msg === 'listening');
      if (line === undefined) return undefined;
      const response = await fetch(`http://127.0.0.1:${line.port}/outside`).catch(() => undefined);
      return response?.json();
    };
    await until(async () => (await ask()) === 'one', 'the first start');
    await put(join(folder, 'outside.ts'), "export const answer: string = 'two';");
    await until(async () => (await ask()) === 'two', 'the second start');
    await put(join(folder, 'outside.ts'), 'export const answer: string = ;');
    await until(() => output().includes('restarts after the next edit'));
    await put(join(folder, 'outside.ts'), "export const answer: string = 'three';");
    await until(async () => (await ask()) === 'three', 'the third start');
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(log.at(-1)).toMatchObject({ msg: 'stopped' });
  });
});
