import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { expect, it } from 'vitest';

/** Returns a minified bundle of a module with its dependencies. */
async function bundle(code: string): Promise<string> {
  const entry = '\0application';
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    resolve: { conditions: ['source'] },
    plugins: [
      {
        name: 'application',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) =>
          id === entry ? code.replace('client', fileURLToPath(new URL('index.ts', import.meta.url))) : null,
      },
    ],
    build: { write: false, rolldownOptions: { input: entry, preserveEntrySignatures: 'strict' } },
  });
  const [chunk, ...others] = (output as Rolldown.RolldownOutput).output;
  expect(others).toEqual([]);
  return chunk.code;
}

const gzippedBytes = (code: string): number => gzipSync(code, { level: 9 }).length;

it('is under 8,300 bytes gzipped with all exports and openapi-fetch', async () => {
  const code = await bundle("export * from 'client';");
  expect(code).toContain('/v2/staffmember');
  expect(gzippedBytes(code)).toBeLessThan(8_300);
});

it('tree-shakes unused exports', async () => {
  expect(await bundle("import 'client';")).toBe('');
  const code = await bundle("export { staffFilter } from 'client';");
  expect(code).toContain('startsWith');
  expect(gzippedBytes(code)).toBeLessThan(900);
});

it('needs no Node API', async () => {
  expect(await bundle("export * from 'client';")).not.toMatch(/from\s*['"`]|import\(|require\(|Buffer/);
});
