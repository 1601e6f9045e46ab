import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startGateway } from '../gateway-process.ts';
import { startListener } from '../start-listener.ts';
import { whenTestEnds } from '../when-test-ends.ts';

const program = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);

/** The tools that the scenarios call, with the responses that they expect. */
const responses = {
  '/text': {
    name: 'test_simple_text',
    status: 200,
    type: 'text/plain',
    body: 'This is a simple text response for testing.',
  },
  '/image': { name: 'test_image_content', status: 200, type: 'image/png', body: Buffer.from('iVBORw0KGgo=', 'base64') },
  '/audio': { name: 'test_audio_content', status: 200, type: 'audio/wav', body: Buffer.from('UklGRg==', 'base64') },
  '/error': {
    ...{ name: 'test_error_handling', status: 400, type: 'text/plain' },
    body: 'This tool intentionally returns an error for testing',
  },
} as const;

async function start(): Promise<string> {
  const { url, stop } = await startListener(({ url: path }, res) => {
    const { status, type, body } = responses[path as keyof typeof responses];
    res.writeHead(status, { 'Content-Type': type }).end(body);
  });
  whenTestEnds(stop);
  const endpoints = Object.keys(responses).map((path) => ({ path, service: 'http', upstream: { targets: [url] } }));
  const tools = Object.entries(responses).map(([path, { name }]) => ({
    operation_id: `get${path.charAt(1).toUpperCase()}${path.slice(2)}`,
    name,
  }));
  return (await startGateway({ endpoints, settings: { mcp: { tools } } })).url;
}

/** Returns the outcome of each scenario by name, such as `2 passed, 0 failed`. */
async function run(args: readonly string[]): Promise<Map<string, string>> {
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [program, 'server', ...args], { maxBuffer: 1e8 }, (_, stdout) => resolve(stdout));
  });
  const lines = [...output.matchAll(/^[✓✗] ([\w-]+): (\d+ passed, \d+ failed)$/gm)];
  return new Map(lines.map(([, name = '', outcome = '']) => [name, outcome]));
}

const toolScenarios = [
  'tools-list',
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-error',
];

test.each([
  ['2025-11-25', ['server-initialize', 'ping', ...toolScenarios, 'dns-rebinding-protection']],
  ['2026-07-28', [...toolScenarios, 'server-sse-multiple-streams', 'dns-rebinding-protection']],
])('route POST /mcp: passes the official scenarios of revision %s for tools', async (revision, scenarios) => {
  const url = await start();
  const outcomes = await run(['--url', `${url}/mcp`, '--spec-version', revision]);
  const passed = scenarios.filter((name) => /^[1-9]\d* passed, 0 failed$/.test(outcomes.get(name) ?? ''));
  expect(passed).toEqual(scenarios);
});

test('route POST /mcp: header fields that contradict the message are rejected as the official scenario expects', async () => {
  const url = await start();
  const output = await new Promise<string>((resolve) => {
    const args = ['server', '--url', `${url}/mcp`, '--scenario', 'http-header-validation'];
    execFile(process.execPath, [program, ...args], { maxBuffer: 1e8 }, (_, stdout) => resolve(stdout));
  });
  expect(output).toMatch(/Passed: (\d+)\/\1, 0 failed/);
});
