import { resolve } from 'node:path';
import { keyDigest } from '@rostergate/access/keys';
import { ConfigError } from '@rostergate/config';
import { describe, expect, it } from 'vitest';
import { KeyFileError, readKeySource, readKeysFile, sealEnvironment, sealKeySource } from './read-keys.ts';

const ops = { name: 'ops', owner: 'team-a', sha256: keyDigest('ops-key') };
const read = (...keys: object[]) => readKeysFile(JSON.stringify({ keys }), 'keys.json');

function faultsOf(text: string): string[] {
  try {
    readKeysFile(text, 'keys.json');
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map(({ where, field, detail }) => `${where} ${field} ${detail}`);
  }
  return [];
}

describe('readKeysFile', () => {
  it('reads a minimal key, without scopes and expiry', () => {
    expect(read(ops).records).toEqual([{ ...ops, scopes: [] }]);
  });

  it('reads every field, with times in any time zone', () => {
    const entry = {
      ...ops,
      prefix: 'rg_live_7Qx',
      scopes: ['a', 'b'],
      created_at: '2026-01-01T00:00:00Z',
      expires_at: '2026-02-01T00:00:00.000+01:00',
      revoked_at: null,
    };
    const { entries, records } = read(entry);
    expect(entries).toEqual([entry]);
    expect(records).toEqual([{ ...ops, scopes: ['a', 'b'], expiresAtMs: Date.UTC(2026, 0, 31, 23) }]);
    expect(read({ ...ops, revoked_at: '2026-01-01T00:00:00Z' }).records[0]?.revokedAtMs).toBe(Date.UTC(2026, 0, 1));
  });

  it('ignores notes', () => {
    expect(faultsOf(JSON.stringify({ $schema: 'x', _note: 'ours', keys: [{ ...ops, _why: 'tests' }] }))).toEqual([]);
  });

  it('reports all faults at once, each with its position, and never a digest', () => {
    const text = JSON.stringify(
      { keys: [ops, { ...ops, owner: 'b' }, { name: 'x', sha256: 'FF', scope: [] }] },
      null,
      1,
    );
    const faults = faultsOf(text);
    expect(faults.join('\n')).not.toContain(ops.sha256);
    expect(faults).toEqual([
      expect.stringMatching(/^keys\.json:\d+:\d+ keys\[2\]\.owner It is required/),
      expect.stringMatching(/^keys\.json:\d+:\d+ keys\[2\]\.sha256 /),
      expect.stringMatching(/^keys\.json:\d+:\d+ keys\[2\]\.scope There is no such field\. Did you mean scopes\?/),
    ]);
  });

  it('does not repeat an invalid digest, which may be the key itself', () => {
    const [fault] = faultsOf(JSON.stringify({ keys: [{ ...ops, sha256: 'a-plain-key' }] }));
    expect(fault).toMatch(/^keys\.json:1:\d+ keys\[0\]\.sha256 It must be 64 lower-case hexadecimal digits\./);
    expect(fault).not.toContain('a-plain-key');
  });

  it('rejects two keys with one name, and one key with two names', () => {
    expect(
      faultsOf(JSON.stringify({ keys: [ops, { ...ops, sha256: keyDigest('b') }, { ...ops, name: 'b' }] })),
    ).toEqual([
      expect.stringMatching(/^keys\.json:1:\d+ keys\[1\]\.name keys\[0\] has the same name/),
      expect.stringMatching(/^keys\.json:1:\d+ keys\[2\]\.sha256 keys\[0\] is the same key/),
    ]);
  });

  it.each(['', '{', '[]', '{}', '{ "keys": {} }', '{ "keys": [null] }', '\uFEFF{ "keys": [] }'])(
    'rejects %j',
    (text) => {
      expect(faultsOf(text).length).toBeGreaterThan(0);
    },
  );
});

const files = new Map([
  ['/etc/gw/keys.txt', '# ours\nalpha\n\n sha256:0000000000000000000000000000000000000000000000000000000000000001 \n'],
  ['/etc/gw/ring', 'beta\n'],
]);
const digestsOf = async (text: string) =>
  (await readKeySource(text, '/etc/gw', async (path) => files.get(path))).map((record) => record.sha256);

describe('readKeySource', () => {
  it('reads a list, trimmed, of keys and digests', async () => {
    expect(await digestsOf(` alpha , sha256:${'0'.repeat(63)}1,`)).toEqual([keyDigest('alpha'), `${'0'.repeat(63)}1`]);
  });

  it('reads a file beside settings.json, one key per line', async () => {
    expect(await digestsOf('keys.txt')).toEqual([keyDigest('alpha'), `${'0'.repeat(63)}1`]);
    expect(await digestsOf('./keys.txt')).toEqual(await digestsOf('/etc/gw/keys.txt'));
    expect(await digestsOf('ring')).toEqual([keyDigest('beta')]);
  });

  it('reads a file of the working directory if there is none beside settings.json', async () => {
    const at = async (...folders: string[]) => {
      const all = new Map(folders.map((folder) => [resolve(folder, 'ring.txt'), `key-in-${folder}`]));
      const read = await readKeySource('ring.txt', 'conf', async (path) => all.get(path));
      expect(await sealKeySource('ring.txt', 'conf', async (path) => all.get(path))).toBe('ring.txt');
      return read.map(({ sha256 }) => sha256);
    };
    expect(await at('.')).toEqual([keyDigest('key-in-.')]);
    expect(await at('conf', '.')).toEqual([keyDigest('key-in-conf')]);
  });

  it('accepts a slash in a key of a list', async () => {
    expect(await digestsOf('al/pha,beta')).toEqual([keyDigest('al/pha'), keyDigest('beta')]);
  });

  it('treats a value that is not a file as a key', async () => {
    expect(await digestsOf('alpha')).toEqual([keyDigest('alpha')]);
    expect(await digestsOf('')).toEqual([]);
  });

  it.each(['./kyes.txt', '/run/secrets/keys', '../keys', 'kyes.txt', '~/keys', 'secrets/keys'])(
    'rejects the mistyped path %s',
    async (text) => {
      await expect(digestsOf(text)).rejects.toThrow('no such file');
    },
  );

  it('marks a name with a slash as a guess, but not an explicit path', async () => {
    const guessed: boolean[] = [];
    for (const text of [
      'q/9+w==',
      'secrets/keys',
      './a',
      '../a',
      '/a',
      '~/a',
      'C:\\a',
      'a.txt',
      'a/b.keys',
      'a.conf',
    ]) {
      const seen = new Set<boolean>();
      const note = async (_path: string, { isGuess }: { isGuess: boolean }) => void seen.add(isGuess);
      await readKeySource(text, '/etc/gw', note).catch(() => undefined);
      guessed.push(...seen);
    }
    expect(guessed).toEqual([true, true, false, false, false, false, false, false, false, false]);
  });

  it('reports the line of an invalid key in a file', async () => {
    const fault = await readKeySource('bad.txt', '/etc/gw', async () => '# ours\nhush hush\n').catch((error) => error);
    expect(fault).toBeInstanceOf(KeyFileError);
    expect(fault).toMatchObject({ path: '/etc/gw/bad.txt', position: 2, message: expect.not.stringContaining('hush') });
  });
});

describe('sealKeySource', () => {
  const seal = (text: string) => sealKeySource(text, '/etc/gw', async (path) => files.get(path));

  it('replaces keys with their digests', async () => {
    const sealed = await seal(' alpha, beta ,');
    expect(sealed).toBe(`sha256:${keyDigest('alpha')},sha256:${keyDigest('beta')}`);
    expect(await digestsOf(sealed)).toEqual(await digestsOf('alpha,beta'));
    expect(await seal('alpha')).toBe(`sha256:${keyDigest('alpha')}`);
    expect(await seal(sealed)).toBe(sealed);
  });

  it.each(['keys.txt', './kyes.txt', 'ring', '', 'hush hush'])('does not change %j', async (text) => {
    expect(await seal(text)).toBe(text);
  });
});

describe('sealEnvironment', () => {
  it('removes secrets from the environment and returns digests of keys', async () => {
    const env: Record<string, string | undefined> = {
      PATH: '/bin',
      ROSTERGATE_PORT: '1',
      ROSTERGATE_API_KEYS: 'one,two',
      ROSTERGATE_REDIS_URL: 'redis://:hush@127.0.0.1',
    };
    const sealed = await sealEnvironment(env, '/nowhere/settings.json');
    expect(env).toEqual({ PATH: '/bin', ROSTERGATE_PORT: '1' });
    expect(sealed).toEqual({
      ...env,
      ROSTERGATE_API_KEYS: `sha256:${keyDigest('one')},sha256:${keyDigest('two')}`,
      ROSTERGATE_REDIS_URL: 'redis://:hush@127.0.0.1',
    });
  });

  it('removes every secret setting', async () => {
    const secrets = ['API_KEYS', 'REDIS_URL', 'KEY_STORE_URL', 'USAGE_STORE_URL', 'PORTAL_CLIENT_SECRET'];
    const env = Object.fromEntries(secrets.map((name) => [`ROSTERGATE_${name}`, 'hush']));
    const sealed = await sealEnvironment(env, '/nowhere/settings.json');
    expect(env).toEqual({});
    expect(Object.keys(sealed)).toHaveLength(secrets.length);
  });

  it('does not change the path of a key file', async () => {
    const sealed = await sealEnvironment({ ROSTERGATE_API_KEYS: './keys.txt' }, '/nowhere/settings.json');
    expect(sealed).toEqual({ ROSTERGATE_API_KEYS: './keys.txt' });
  });
});
