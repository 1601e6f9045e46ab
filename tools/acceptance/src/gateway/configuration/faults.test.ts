import { expect, test } from 'vitest';
import { startGateway } from '../../gateway-process.ts';

/** What a gateway says that cannot start. */
async function outputOf(options: Parameters<typeof startGateway>[0]): Promise<string> {
  const error = await startGateway(options).then(
    () => new Error('It started.'),
    (reason: Error) => reason,
  );
  return error.message;
}

test('an unknown field stops the boot with file, line, column and "did you mean"', async () => {
  const output = await outputOf({ settings: { rate_limit_per_minutes: 5 } });
  expect(output).toMatch(/settings\.json:\d+:\d+/);
  expect(output).toMatch(/rate_limit_per_minutes/);
  expect(output).toMatch(/did you mean.*rate_limit_per_minute\b/i);
});

test('every fault of every file is told at once', async () => {
  const output = await outputOf({
    settings: { drain_ms: 'soon', enable_doc: true },
    endpoints: [
      { path: 'no-slash', service: 'static' },
      { path: '/api/a', service: 'nosuch' },
      { path: '/api/b', service: 'echo', method: 'FETCH' },
      { path: '/health', service: 'static', parameters: { answer: 1 } },
    ],
  });
  for (const part of ['drain_ms', 'enable_doc', 'no-slash', 'nosuch', 'FETCH', '/health'])
    expect(output).toContain(part);
  expect(output.match(/(settings|endpoints)\.json:\d+:\d+/g)?.length).toBeGreaterThanOrEqual(6);
});

test('two endpoints of one method and path are a fault', async () => {
  const endpoint = { path: '/api/a/{x}', service: 'static', parameters: { answer: 1 } };
  expect(await outputOf({ endpoints: [endpoint, endpoint] })).toMatch(/endpoints\.json:\d+:\d+[^\n]*\/api\/a\/\{x\}/);
});

test.each([
  ['two services of one name', { 'services/a.ts': service('hello'), 'services/b.ts': service('hello') }, /hello/],
  ['a service called like a built-in one', { 'services/a.ts': service('echo') }, /echo/],
  ['a service that does not load', { 'services/a.ts': 'export default defineService(' }, /services\/a\.ts/],
  ['a keys file that others may read', {}, /chmod 600/],
])('%s is a fault', async (_, files, message) => {
  const isAboutKeys = Object.keys(files).length === 0;
  const output = await outputOf(
    isAboutKeys ? { files: { 'open.json': '{"keys":[]}' }, settings: { keys_file: 'open.json' } } : { files },
  );
  expect(output).toMatch(message);
});

test('an unset variable in an upstream header is a fault that names it', async () => {
  const upstream = { targets: ['http://127.0.0.1:9'], headers: { 'X-Token': '${NO_SUCH_VARIABLE}' } };
  expect(await outputOf({ endpoints: [{ path: '/api/x', service: 'http', upstream }] })).toContain('NO_SUCH_VARIABLE');
});

function service(name: string): string {
  return `import { defineService, z } from 'rostergate';
export default defineService({
  name: '${name}', summary: 'x', parameters: z.object({}), response: z.string(), handle: () => 'x',
});`;
}
