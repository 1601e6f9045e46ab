import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TlsPair } from '@rostergate/server/edge';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createConfigurationSource, createSourceFiles, readTls } from './configuration-source.ts';

async function setUp() {
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'settings.json');
  await writeFile(path, 'half');
  return path;
}

it('loads the last checked configuration once, when the files are at rest', async () => {
  // The clock is stopped: after 500 ms, which a busy machine may take for a reading, files need not be at rest.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const path = await setUp();
  const loaded: string[] = [];
  const source = createConfigurationSource<string>({
    settingsFile: path,
    async read(reader) {
      const state = await reader.read(path);
      const text = state.kind === 'file' ? state.bytes.toString() : state.kind;
      if (text === 'half') await writeFile(path, 'whole');
      return {
        async load() {
          loaded.push(text);
          return { configuration: text };
        },
      };
    },
  });
  expect(await source.read()).toMatchObject({ configuration: 'whole' });
  expect(loaded).toEqual(['whole']);
});

it('reports the faults of a configuration that does not load', async () => {
  const path = await setUp();
  const source = createConfigurationSource({
    settingsFile: path,
    async read(reader) {
      await reader.read(path);
      return { load: async () => ({ faults: [{ where: path, field: '', detail: 'It does not load.' }] }) };
    },
  });
  const reading = await source.read();
  expect('fault' in reading && reading.fault.message).toContain('It does not load.');
  expect(reading.sources).toHaveLength(1);
});

it('accepts a certificate that has expired while it was active, but not in a new reading of its file', async () => {
  const settingsFile = await setUp();
  const pems = new URL('../../../server/test/tls/', import.meta.url);
  const certificate = await readFile(new URL('first.certificate.pem', pems), 'utf8');
  await writeFile(join(settingsFile, '../cert.pem'), certificate);
  await writeFile(join(settingsFile, '../key.pem'), await readFile(new URL('first.key.pem', pems)));
  const source = createConfigurationSource<TlsPair | undefined>({
    settingsFile,
    async read(reader) {
      const files = createSourceFiles({ settingsFile, reader });
      const tls = await readTls({ tls_certificate_file: 'cert.pem', tls_key_file: 'key.pem' }, files);
      return files.faults.length > 0 ? { faults: files.faults } : { configuration: tls };
    },
  });
  const active = await source.read();
  if ('fault' in active) throw active.fault;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2200, 0) });
  onTestFinished(() => void vi.useRealTimers());
  const fixed = await active.states();
  expect(await source.read(active.sources, fixed)).toMatchObject({ configuration: { certificate } });
  const again = await source.read(active.sources);
  expect('fault' in again && again.fault.message).toContain('The certificate expired');
});
