import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { parseKey } from '@rostergate/access/keys';
import { z } from '@rostergate/endpoints';
import { beforeEach, describe, expect, it } from 'vitest';
import { program } from './program.ts';
import { runInProcess } from './run-in-process.ts';
import { type Ended, makeFolder, type RunOptions, runRostergate } from './run-rostergate.ts';

let folder: string;
beforeEach(() => {
  folder = makeFolder();
  writeFileSync(join(folder, 'settings.json'), '{}');
});

const keys = (args: readonly string[], options: RunOptions = {}) =>
  runInProcess(['keys', ...args], { cwd: folder, ...options });
const createInOtherProcess = (name: string, options: RunOptions = {}, more: readonly string[] = []) =>
  runRostergate(['keys', 'create', '--name', name, ...more], { cwd: folder, ...options });
/** Returns the files that a command created. */
const made = () => readdirSync(folder).filter((name) => name !== 'settings.json');
const fileText = () => readFileSync(join(folder, 'keys.json'), 'utf8');
const entries = () => JSON.parse(fileText()).keys as Record<string, unknown>[];

const time = z.iso.datetime();
const entrySchema = z.strictObject({
  name: z.string(),
  owner: z.string(),
  prefix: z.string(),
  scopes: z.array(z.string()),
  created_at: time.nullable(),
  expires_at: time.nullable(),
  revoked_at: time.nullable(),
});
const listSchema = z.array(entrySchema.extend({ state: z.enum(['active', 'expired', 'revoked']) }));
const errorSchema = z.strictObject({
  error: z.strictObject({ exit_code: z.int(), message: z.string().min(1), faults: z.array(z.unknown()) }),
});

describe('keys create', () => {
  it('prints only the key on stdout, once, and stores its digest in a private file', async () => {
    const args = ['--owner', 'team-a', '--scope', 'a', '--scope', 'b', '--expires', '90d'];
    const { code, stdout, stderr } = await createInOtherProcess('ops', {}, args);
    expect(code).toBe(0);
    const key = stdout.trimEnd();
    expect(stdout).toBe(`${key}\n`);
    expect(parseKey(key)).toEqual({ prefix: 'rg' });
    expect(stderr).toContain('Created ops in keys.json');
    expect(statSync(join(folder, 'keys.json')).mode & 0o777).toBe(0o600);
    const [entry] = entries();
    expect(entry).toMatchObject({ name: 'ops', owner: 'team-a', scopes: ['a', 'b'], revoked_at: null });
    expect(Date.parse(String(entry?.expires_at)) - Date.parse(String(entry?.created_at))).toBe(90 * 86_400_000);
    // No other output contains the key.
    const secret = key.split('_')[2] as string;
    expect(stderr + fileText()).not.toContain(secret.slice(4));
  });

  it.runIf(process.platform !== 'win32')(
    'removes the lock if nothing can be written, and reports the file',
    async () => {
      // A limit on file sizes fails a write after its file was created, as a full disk does.
      const limited = 'trap "" XFSZ; ulimit -f 0; exec "$@"';
      const command = [process.execPath, '--conditions=source', program, 'keys', 'create', '--name', 'ops'];
      const { stderr } = spawnSync('sh', ['-c', limited, 'sh', ...command], { cwd: folder, encoding: 'utf8' });
      expect(stderr).toContain('keys.json');
      expect(made()).toEqual([]);
      expect((await keys(['create', '--name', 'ops'])).code).toBe(0);
    },
  );

  it('prints the key and its entry with --json', async () => {
    const { code, stdout } = await keys(['create', '--name', 'ops', '--prefix', 'acme', '--json']);
    expect(code).toBe(0);
    const { key, ...entry } = z.object({ key: z.string() }).loose().parse(JSON.parse(stdout));
    expect(parseKey(key)).toEqual({ prefix: 'acme' });
    expect(entrySchema.parse(entry)).toMatchObject({ name: 'ops', owner: 'ops', prefix: key.slice(0, 13) });
  });

  it.each([
    [['create'], 2, '--name'],
    [['create', '--name', 'o p'], 2, '--name takes'],
    [['create', '--name', 'a:b'], 2, '--name takes up to 128 letters, digits and . _ @ -, beginning'],
    [['create', '--name', 'a', '--owner', ''], 2, '--owner takes up to 128 letters, digits and . _ @ : | -, beginning'],
    [['create', '--name', 'a', '--expires', '2020-01-01'], 2, '--expires takes'],
    [['create', '--name', 'a', '--scope', 'a b'], 2, '--scope takes'],
    [['create', '--name', 'a', '--prefix', 'A'], 2, '--prefix takes'],
    [['rotate', 'a', '--overlap', 'x'], 2, '--overlap takes'],
    [['revoke'], 2, 'name'],
    [['revoke', 'a'], 1, 'no key of that name'],
    [['list', '--all'], 2, '--all'],
    [['crate'], 2, 'Did you mean create?'],
  ])('%j exits with %i and creates no file', async (args, exitCode, message) => {
    const { code, stdout, stderr } = await keys(args);
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
    expect(stderr).toContain(message);
    expect(made()).toEqual([]);
  });

  it('prints a failure as JSON', async () => {
    const { code, stdout } = await keys(['revoke', 'a', '--json']);
    expect(code).toBe(1);
    expect(errorSchema.parse(JSON.parse(stdout)).error.exit_code).toBe(1);
  });

  it('rejects an existing name', async () => {
    await keys(['create', '--name', 'ops']);
    const before = fileText();
    const { code, stdout, stderr } = await keys(['create', '--name', 'ops']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('A key named ops already exists');
    expect(fileText()).toBe(before);
  });

  it('reports an invalid file and does not change it', async () => {
    writeFileSync(join(folder, 'keys.json'), '{ "keys": [{ "name": "a" }] }');
    const { code, stderr } = await keys(['create', '--name', 'ops']);
    expect(code).toBe(1);
    expect(stderr).toContain('keys.json:1:12');
    expect(fileText()).toBe('{ "keys": [{ "name": "a" }] }');
  });

  it('stores keys where keys_file and --config point', async () => {
    writeFileSync(join(folder, 'my.json'), '{ "keys_file": "my-keys.json" }');
    expect((await keys(['create', '--name', 'a', '--config', 'my.json'])).code).toBe(0);
    expect((await keys(['create', '--name', 'b'], { env: { ROSTERGATE_SETTINGS_FILE: 'my.json' } })).code).toBe(0);
    expect(made().sort()).toEqual(['my-keys.json', 'my.json']);
  });
});

describe('the plan of a key', () => {
  const plans = { gold: { quota: { requests: 9, per: 'month' } }, free: { limits: [{ requests: 1, per: 'second' }] } };
  beforeEach(() => {
    writeFileSync(join(folder, 'settings.json'), JSON.stringify({ plans }));
  });

  it('is stored, listed, and inherited by a rotation', async () => {
    expect((await keys(['create', '--name', 'ops', '--owner', 'acme', '--plan', 'gold'])).code).toBe(0);
    await keys(['create', '--name', 'web']);
    await keys(['rotate', 'ops']);
    expect(entries().map(({ name, plan }) => [name, plan])).toEqual([
      ['ops', 'gold'],
      ['web', undefined],
      ['ops-2', 'gold'],
    ]);
    const lines = (await keys(['list'])).stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.split('\t')[4])).toEqual(['gold', '–', 'gold']);
    expect(JSON.parse((await keys(['list', '--json'])).stdout)[0].plan).toBe('gold');
  });

  it('is rejected when it is unknown, or another than that of the owner', async () => {
    await keys(['create', '--name', 'ops', '--owner', 'acme', '--plan', 'gold']);
    const before = fileText();
    expect(await keys(['create', '--name', 'web', '--plan', 'glod'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('plan: There is no such plan. Did you mean gold?'),
    });
    expect(await keys(['create', '--name', 'web', '--owner', 'acme', '--plan', 'free'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('keys[0] of the same owner has the plan gold'),
    });
    expect(fileText()).toBe(before);
    // The plan of a revoked key does not bind its owner.
    await keys(['revoke', 'ops']);
    expect((await keys(['create', '--name', 'web', '--owner', 'acme', '--plan', 'free'])).code).toBe(0);
  });
});

describe('keys list, revoke and rotate', () => {
  it('print the state of every key, as text and JSON', async () => {
    for (const name of ['ops', 'web']) await keys(['create', '--name', name, '--scope', 'r']);
    const revoked = await keys(['revoke', 'web']);
    expect(revoked).toEqual({ code: 0, stdout: 'Revoked web.\n', stderr: '' });
    expect(await keys(['revoke', 'web'])).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^web is revoked already, since \d{4}-\d\d-\d\d \d\d:\d\d UTC\.\n$/),
      stderr: '',
    });
    const lines = (await keys(['list'])).stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.split('\t'))).toEqual([
      ['ops', 'ops', expect.stringMatching(/^rg_live_...…$/), 'r', expect.any(String), '–', 'active'],
      ['web', 'web', expect.stringMatching(/^rg_live_...…$/), 'r', expect.any(String), '–', 'revoked'],
    ]);
    const { stdout } = await keys(['list', '--json']);
    expect(listSchema.parse(JSON.parse(stdout)).map(({ name, state }) => [name, state])).toEqual([
      ['ops', 'active'],
      ['web', 'revoked'],
    ]);
    expect(stdout).not.toContain(String(entries()[0]?.sha256));
  });

  it('rotate creates a successor, and expires the old key after the overlap', async () => {
    await keys(['create', '--name', 'ops', '--owner', 'team-a', '--scope', 'r', '--prefix', 'acme']);
    const { code, stdout } = await keys(['rotate', 'ops', '--overlap', '2h', '--json']);
    expect(code).toBe(0);
    const { key, replaces } = JSON.parse(stdout);
    expect(parseKey(key)).toEqual({ prefix: 'acme' });
    const [old, next] = entries();
    expect(next).toMatchObject({ name: 'ops-2', owner: 'team-a', scopes: ['r'], expires_at: null });
    expect(replaces).toEqual({ name: 'ops', expires_at: old?.expires_at });
    expect(Date.parse(String(old?.expires_at)) - Date.parse(String(next?.created_at))).toBe(2 * 3_600_000);
  });

  it('reject a key instead of its name, without repeating it', async () => {
    const key = (await keys(['create', '--name', 'ops'])).stdout.trim();
    for (const command of ['revoke', 'rotate']) {
      const { code, stdout, stderr } = await keys([command, key]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).not.toContain(key);
    }
  });
});

describe('several writers of keys.json', () => {
  it('lose no key', async () => {
    const names = Array.from({ length: 6 }, (_, i) => `k${i}`);
    const ended = await Promise.all(names.map((name) => createInOtherProcess(name)));
    expect(ended.map(({ code }) => code)).toEqual(names.map(() => 0));
    expect(
      entries()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(names);
    expect(made()).toEqual(['keys.json']);
  });

  it('continue after one was killed while writing', async () => {
    writeFileSync(join(folder, 'keys.json.lock'), `999999999 ${hostname()} x`);
    writeFileSync(join(folder, '.keys.json.abc.tmp'), '{ "keys": [');
    expect((await keys(['create', '--name', 'ops'])).code).toBe(0);
    expect(made()).toEqual(['keys.json']);
  });
});

describe.each(['SIGINT', 'SIGTERM'] as const)('%s at any moment', (signal) => {
  it('leaves a complete file and no others', async () => {
    await keys(['create', '--name', 'first']);
    const delays = [100, 200, 300, 350, 400, 500];
    const ended: Ended[] = [];
    for (const [i, ms] of delays.entries()) {
      const onStart = (child: { kill: (signal: NodeJS.Signals) => boolean }) => {
        setTimeout(() => child.kill(signal), ms);
      };
      ended.push(await createInOtherProcess(`k${i}`, { onStart }));
    }
    const stopped = signal === 'SIGINT' ? 130 : 143;
    for (const { code } of ended) expect([0, stopped, signal]).toContain(code);
    const stored = new Set(entries().map(({ name }) => name));
    // A key that was printed is stored.
    for (const [i, { stdout }] of ended.entries()) if (stdout !== '') expect(stored).toContain(`k${i}`);
    expect(made()).toEqual(['keys.json']);
  });
});
