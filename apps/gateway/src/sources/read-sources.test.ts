import { readFileSync } from 'node:fs';
import { ConfigError } from '@rostergate/config';
import { createSourceReader, createStatesReader, type FileState } from '@rostergate/config/reload';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { badConfigurations, good } from '../../test/bad-configurations.ts';
import { loadConfiguration } from '../configuration-reader.ts';
import { describeBuiltInServices } from '../services/index.ts';
import { readSources } from './read-sources.ts';

const load = (files: Readonly<Record<string, string>>) =>
  loadConfiguration({
    settingsFile: '/gw/settings.json',
    env: {},
    readText: (path) => files[path.replace('/gw/', '')],
    createServices: describeBuiltInServices,
  });

const stamp = { text: '', changedMs: 0 };
const fileOf = (content: string | Uint8Array, exposure = 0): FileState => ({
  kind: 'file',
  bytes: Buffer.from(content),
  exposure,
  stamp,
});

/** Returns the faults for a state of one file. */
async function faultsOf(file: string, state: FileState, wasRead = () => false, platform = 'linux') {
  const files: Record<string, FileState> = {
    '/gw/endpoints.json': fileOf(good['endpoints.json'] as string),
    [file]: state,
  };
  const reader = createSourceReader((path) => files[path] ?? { kind: 'absent', stamp });
  const read = await readSources({
    settingsFile: '/gw/settings.json',
    env: {},
    reader,
    wasRead,
    platform,
    createServices: describeBuiltInServices,
  });
  return 'faults' in read ? read.faults.map(({ where, detail }) => `${where} ${detail}`) : [];
}

describe('readSources', () => {
  it('returns digests instead of keys', async () => {
    const configuration = await load(good);
    expect(configuration.keys.map(({ name }) => name)).toEqual(['ops', expect.stringMatching(/^[0-9a-f]{8}$/)]);
    expect(configuration.endpointKeys.get('postOwn')).toHaveLength(2);
    expect(JSON.stringify([configuration, [...configuration.endpointKeys]])).not.toContain('canary');
  });

  it('reports names that settings.json does not define beside other faults of settings.json', async () => {
    const corp = { name: 'corp', issuer: 'https://id.example', audiences: ['a'] };
    const settings = { port: 'many', jwt_issuers: [corp], plans: { gold: { quota: { requests: 1, per: 'day' } } } };
    const sha256 = 'a'.repeat(64);
    const read = (changes: object) =>
      load({
        'settings.json': JSON.stringify({ ...settings, ...changes }),
        'endpoints.json': JSON.stringify({ endpoints: [{ path: '/a', service: 'echo', auth: ['jwt:crop'] }] }),
        'keys.json': JSON.stringify({ keys: [{ name: 'a', owner: 'a', sha256, plan: 'glod' }] }),
      }).catch((error: unknown) => (error as ConfigError).faults.map(({ field }) => field));
    expect(await read({})).toEqual(['port', 'keys[0].plan', 'endpoints[0].auth[0]']);
    // Nothing is known about names that are themselves invalid.
    expect(await read({ jwt_issuers: 1 })).toEqual(['port', 'jwt_issuers']);
  });

  it('rejects each of many hundred invalid files, with the position and without keys', async () => {
    const all = badConfigurations();
    expect(all.length).toBeGreaterThan(1_000);
    const accepted: string[] = [];
    for (const { title, file, text } of all) {
      const error = await load({ ...good, [file]: text }).catch((error: unknown) => error);
      if (!(error instanceof ConfigError)) {
        accepted.push(`${file} ${title}: ${String(error)}`);
        continue;
      }
      expect.soft(error.message, `${file} ${title}`).not.toContain('canary');
      for (const { where, detail } of error.faults) {
        expect.soft(where, `${file} ${title}`).toContain(file);
        expect.soft(detail, `${file} ${title}`).toMatch(/\S{2}/);
      }
    }
    expect(accepted).toEqual([]);
  });

  it.each([
    ['a folder', { kind: 'folder', names: [], stamp } as const, 'It is a folder'],
    ['not readable', { kind: 'unreadable', reason: 'No right.', stamp } as const, 'No right.'],
    ['UTF-16', fileOf(Buffer.from('\uFEFF{}', 'utf16le')), 'It is not UTF-8 text'],
    ['binary', fileOf(Uint8Array.of(0xff, 0xfe, 0x00)), 'It is not UTF-8 text'],
    ['empty', fileOf(''), 'The file is empty'],
  ])('reports a file that is %s', async (_, state, detail) => {
    for (const file of ['/gw/settings.json', '/gw/endpoints.json', '/gw/keys.json']) {
      expect(await faultsOf(file, state)).toEqual([expect.stringContaining(detail)]);
    }
  });

  it('accepts a missing file, but rejects one that was removed', async () => {
    for (const file of ['/gw/settings.json', '/gw/endpoints.json', '/gw/keys.json', '/gw/services']) {
      expect(await faultsOf(file, { kind: 'absent', stamp })).toEqual([]);
      expect(await faultsOf(file, { kind: 'absent', stamp }, (path?: string) => path === file)).toEqual([
        expect.stringMatching(new RegExp(`^${file} It was removed`)),
      ]);
    }
  });

  it('requires that only the owner can read keys.json, except on Windows', async () => {
    const open = fileOf(good['keys.json'] as string, 0o044);
    expect(await faultsOf('/gw/keys.json', open)).toEqual([expect.stringContaining('chmod 600 /gw/keys.json')]);
    expect(await faultsOf('/gw/keys.json', open, undefined, 'win32')).toEqual([]);
  });

  it.each([
    ['a folder', { kind: 'folder', names: [], stamp } as const, 'It is a folder'],
    ['not readable', { kind: 'unreadable', reason: 'No right.', stamp } as const, 'No right.'],
    ['not UTF-8', fileOf(Uint8Array.of(0xff, 0xfe, 0x00)), 'It is not UTF-8 text'],
  ])('reports a key file that is %s once', async (_, state, detail) => {
    const states: Record<string, FileState> = {
      '/gw/settings.json': fileOf('{ "api_keys": "./ring" }'),
      '/gw/ring': state,
    };
    const reader = createSourceReader((path) => states[path] ?? { kind: 'absent', stamp });
    const how = { settingsFile: '/gw/settings.json', env: {}, reader, createServices: describeBuiltInServices };
    const read = await readSources(how);
    expect('faults' in read && read.faults).toMatchObject([
      { where: '/gw/ring', detail: expect.stringContaining(detail) },
    ]);
  });

  it.each(['canary-only', 'canary/9+w=='])(
    'records each file it depends on, but not the key %s, which might be a file name',
    async (key) => {
      const texts = { ...good, 'settings.json': JSON.stringify({ api_keys: key }) };
      const reader = createSourceReader((path) => {
        const text = texts[path.replace('/gw/', '') as keyof typeof texts];
        return text === undefined ? { kind: 'absent', stamp } : fileOf(text);
      });
      await readSources({
        settingsFile: '/gw/settings.json',
        env: {},
        reader,
        createServices: describeBuiltInServices,
      });
      const paths = reader.sources().map(({ path }) => path);
      expect(paths.sort()).toEqual(['/gw/endpoints.json', '/gw/keys.json', '/gw/services', '/gw/settings.json']);
    },
  );

  it('reports expired TLS files unless their content has been accepted before', async () => {
    const pem = (name: string) =>
      readFileSync(new URL(`../../../../packages/server/test/tls/${name}`, import.meta.url));
    const tls = { ca_file: 'ca.pem', certificate_file: 'cert.pem', key_file: 'key.pem' };
    const upstream = { targets: ['https://a.example'], tls };
    const states = new Map([
      ['/gw/settings.json', fileOf('{ "tls_certificate_file": "cert.pem", "tls_key_file": "key.pem" }')],
      ['/gw/endpoints.json', fileOf(JSON.stringify({ endpoints: [{ path: '/a', service: 'http', upstream }] }))],
      ['/gw/ca.pem', fileOf(pem('second.certificate.pem'))],
      ['/gw/cert.pem', fileOf(pem('first.certificate.pem'))],
      ['/gw/key.pem', fileOf(pem('first.key.pem'))],
    ]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2200, 0) });
    onTestFinished(() => void vi.useRealTimers());
    const placesOf = async (areAccepted: boolean) => {
      const reader = createStatesReader(states, { areAccepted });
      const how = { settingsFile: '/gw/settings.json', env: {}, reader, createServices: describeBuiltInServices };
      const read = await readSources(how);
      return 'faults' in read ? read.faults.map(({ where }) => where) : [];
    };
    expect(await placesOf(false)).toEqual(['/gw/cert.pem', '/gw/ca.pem', '/gw/cert.pem']);
    expect(await placesOf(true)).toEqual([]);
  });
});
