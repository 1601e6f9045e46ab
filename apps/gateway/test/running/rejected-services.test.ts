import { existsSync, readFileSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { whenAllEnd } from '../at-end.ts';
import { runRostergate } from '../run-rostergate.ts';
import { fixed, type GatewayProcess, makeFolder, put, startGateway, until } from './gateway-process.ts';

/** Writes the id of each process that loads it, at once and from a timer. */
const beating = (name = 'beat', more = '') => `import { appendFileSync } from 'node:fs';
import { defineService, z } from 'rostergate';
const beat = () => appendFileSync(new URL('../beats', import.meta.url), \`\${process.pid}\\n\`);
beat();
setInterval(beat, 5);
${more}
export default defineService({
  name: '${name}', summary: 'x', parameters: z.object({}), response: z.string(), handle: () => '${name}',
});
`;
const refusing = `import { defineRawService } from 'rostergate';
export default defineRawService({ name: 'refusing', summary: 'x', open: () => { throw new Error('not today'); } });
`;
const good = { endpoints: [fixed('first')] };

/** Returns the processes that have run the service so far. */
function beatingIn(folder: string): Set<number> {
  const path = join(folder, 'beats');
  return new Set(existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean).map(Number) : []);
}

/** Returns the server's processes: the primary and its workers so far. */
const serversOf = ({ child, log }: GatewayProcess): number[] => [
  child.pid as number,
  ...log.flatMap(({ msg, pid }) => (msg === 'worker serves' ? [pid as number] : [])),
];

/** Returns the server's processes that have run the service. */
const serversBeating = (gateway: GatewayProcess): number[] => {
  const beats = beatingIn(gateway.folder);
  return serversOf(gateway).filter((pid) => beats.has(pid));
};

/** Makes the files visible in their order and without a turn in between, so that the server sees one edit. */
async function edit(folder: string, files: Readonly<Record<string, string | object>>): Promise<void> {
  const hidden = (name: string) => join(folder, `.new/${name.replace('/', '~')}`);
  for (const [name, content] of Object.entries(files)) await put(hidden(name), content);
  for (const name of Object.keys(files)) renameSync(hidden(name), join(folder, name));
}

const rejection = (gateway: GatewayProcess, from = 0) =>
  until(() => gateway.log.slice(from).find(({ msg }) => msg?.startsWith('configuration rejected')), 'a rejection');
const applied = (gateway: GatewayProcess, from = 0) =>
  until(() => gateway.log.slice(from).some(({ msg }) => msg === 'configuration applied'), 'an applied edit');

describe.each([1, 2])('with workers: %i, a new service', (workers) => {
  const settings = { rate_limit_enabled: false, workers };
  const files = { 'settings.json': settings, 'endpoints.json': good, 'services/_none.ts': '' };

  const atEnd = whenAllEnd();
  let shared: GatewayProcess;
  beforeAll(async () => {
    shared = await startGateway(await makeFolder(files, atEnd), { atEnd });
  });

  /** Restores the files, and forgets the processes that have run the service so far. */
  async function restore(changed: readonly string[]): Promise<void> {
    const added = changed.filter((name) => !(name in files));
    for (const name of [...added, 'beats']) await rm(join(shared.folder, name), { force: true });
    await edit(shared.folder, files);
    const serves = async () => (await (await shared.fetch('/answer')).json()) === 'first';
    const isReady = async () => (await shared.configurationStatus()).status === 'ready';
    await until(async () => (await serves()) && (await isReady()), 'a valid configuration');
  }

  it.each<[string, Readonly<Record<string, string | object>>, RegExp]>([
    ['endpoints.json', { 'endpoints.json': '{ "endpoints": [ {' }, /endpoints\.json/],
    ['settings.json', { 'settings.json': { ...settings, rate_limit_per_minute: 'many' } }, /rate_limit_per_minute/],
    ['keys.json', { 'keys.json': '[' }, /keys\.json/],
    [
      'a key file',
      { 'endpoints.json': { endpoints: [{ path: '/b', service: 'beat', requires_auth: true, api_keys: './none' }] } },
      /no such file/,
    ],
    [
      'a contract',
      { 'endpoints.json': { endpoints: [{ path: '/b', service: 'http', contract: 'c.json' }] } },
      /c\.json/,
    ],
    ['another service', { 'services/other.ts': 'const a = ;' }, /other\.ts:1:11/],
    [
      'a raw service that does not open',
      { 'services/refusing.ts': refusing, 'endpoints.json': { endpoints: [{ path: '/r', service: 'refusing' }] } },
      /refusing\.ts:2:.*not today/,
    ],
  ])('is not run by the server if the same edit is rejected for %s', async (_, broken, place) => {
    const from = shared.log.length;
    // The service last, as a busy server may see the files before it alone.
    const wrong = { ...broken, 'services/beat.ts': beating() };
    onTestFinished(() => restore(Object.keys(wrong)));
    await edit(shared.folder, wrong);
    const { faults } = await rejection(shared, from);
    expect(faults?.join('\n')).toMatch(place);
    await until(() => beatingIn(shared.folder).size > 0, 'a trial in a process of its own');
    expect(serversBeating(shared)).toEqual([]);
    expect(await (await shared.fetch('/answer')).json()).toBe('first');
  });

  // Only once, because the service goes on running.
  it('runs as soon as the whole edit is accepted', async () => {
    onTestFinished(() => restore(['services/beat.ts']));
    let from = shared.log.length;
    await edit(shared.folder, { 'endpoints.json': '{', 'services/beat.ts': beating() });
    await rejection(shared, from);
    expect(serversBeating(shared)).toEqual([]);
    from = shared.log.length;
    await edit(shared.folder, { 'endpoints.json': { endpoints: [{ path: '/beat', service: 'beat' }] } });
    await applied(shared, from);
    expect(await (await shared.fetch('/beat')).json()).toBe('beat');
    await until(() => serversBeating(shared).length >= workers);
  });

  it('waits for SIGHUP if reload_enabled is false, and is not run if the edit is rejected', async () => {
    const folder = await makeFolder({ ...files, 'settings.json': { ...settings, reload_enabled: false } });
    const gateway = await startGateway(folder);
    await edit(folder, { 'services/beat.ts': beating(), 'endpoints.json': '{' });
    expect(beatingIn(folder).size).toBe(0);
    gateway.child.kill('SIGHUP');
    await rejection(gateway);
    expect(serversBeating(gateway)).toEqual([]);
    await edit(folder, { 'endpoints.json': good });
    gateway.child.kill('SIGHUP');
    await applied(gateway);
    await until(() => serversBeating(gateway).length >= workers);
  });

  it('that passes its trial and fails in the server leaves the old configuration serving', async () => {
    onTestFinished(() => restore(['services/once.ts']));
    const once = `import { existsSync, writeFileSync } from 'node:fs';
const seen = new URL('../seen', import.meta.url);
if (existsSync(seen)) throw new Error('loaded before');
writeFileSync(seen, '');
${beating('once')}`;
    let from = shared.log.length;
    await edit(shared.folder, { 'services/once.ts': once, 'endpoints.json': { endpoints: [fixed('second')] } });
    await rejection(shared, from);
    expect(shared.output()).toContain('loaded before');
    expect(await (await shared.fetch('/answer')).json()).toBe('first');
    from = shared.log.length;
    await edit(shared.folder, { 'services/once.ts': beating('once') });
    await applied(shared, from);
    expect(await (await shared.fetch('/answer')).json()).toBe('second');
  });
});

it('names two services that declare one problem code with different titles', async () => {
  const failing = (name: string, title: string) => `import { defineService, z } from 'rostergate';
export default defineService({
  name: '${name}', summary: 'x', parameters: z.object({}), response: z.string(), handle: () => 'x',
  problems: { dry: { status: 409, title: '${title}' } },
});
`;
  const folder = await makeFolder({
    'endpoints.json': good,
    'services/a.ts': failing('a', 'Dry'),
    'services/b.ts': failing('b', 'Dry'),
    'services/c.ts': failing('c', 'Empty'),
  });
  const { code, stderr, stdout } = await runRostergate(['validate', '--config', folder]);
  expect([code, stderr + stdout]).toEqual([
    1,
    expect.stringMatching(
      /services\/c\.ts:3:\d+ .*Its problem "dry" is 409 "Dry" in .*services\/a\.ts\. Write the same/,
    ),
  ]);
});
