import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, inject, onTestFinished, test } from 'vitest';
import { pickFreePorts } from '../free-ports.ts';
import { proxyProgram } from '../proxy-process.ts';
import { schedulingProgram } from '../scheduling-process.ts';
import { outsideEnv } from '../start-server.ts';
import { startVendor } from '../vendor/start-vendor.ts';

const { credentials, urls } = inject('servers');
const readme = readFileSync(fileURLToPath(new URL('../../../../apps/staff-proxy/README.md', import.meta.url)), 'utf8');

/** The shell blocks between two headings, one after the other. */
function blocksFrom(first: string, end: string): string {
  const part = readme.slice(readme.indexOf(`\n## ${first}\n`), readme.indexOf(`\n## ${end}\n`));
  return [...part.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block).join('\necho "--- next ---"\n');
}

interface Reading {
  readonly script: string;
  /** What stands for the reader's own, and what it is here. */
  readonly replaced: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

/** Runs a script as a reader would, in a new folder; everything that it has started ends with it. */
async function runAsReader({ script, replaced, env = {}, stdin = '' }: Reading) {
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-readme-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, program] of Object.entries({
    'rostergate-staff-proxy': proxyProgram,
    'rostergate-scheduling': schedulingProgram,
  })) {
    await writeFile(
      join(folder, name),
      `#!/bin/sh\nexec '${process.execPath}' --conditions=source '${program}' "$@"\n`,
    );
    await chmod(join(folder, name), 0o755);
  }
  const text = Object.entries(replaced).reduce((whole, [from, to]) => {
    if (!whole.includes(from)) throw new Error(`The README has no ${from}.`);
    return whole.replaceAll(from, to);
  }, script);
  await writeFile(join(folder, 'input'), stdin);
  const ending = 'end() { kill $(jobs -p) 2>/dev/null; wait; }\ntrap end EXIT\n';
  const { stdout, stderr } = await promisify(execFile)(
    'bash',
    ['-euo', 'pipefail', '-c', `exec <'${folder}/input'\n${ending}${text}`],
    {
      cwd: folder,
      env: { ...outsideEnv(), NO_COLOR: '1', ...env, PATH: `${folder}:${process.env.PATH}` },
      timeout: 90_000,
    },
  );
  return { outputs: stdout.split('--- next ---\n'), stderr, folder };
}

test('the README in front of the vendor: every block runs as it is written', async () => {
  const vendor = await startVendor(urls.scheduling);
  onTestFinished(vendor.stop);
  const [port] = await pickFreePorts(3);
  const { outputs, folder } = await runAsReader({
    script: blocksFrom('In front of the vendor', 'In front of the scheduling API'),
    replaced: {
      'https://api.example.com/v2': vendor.url,
      'svc-reader@example.org': credentials.SCHEDULING_EMAIL,
      'my-company': credentials.COMPANY_KEY,
      '127.0.0.1:8010': `127.0.0.1:${port}`,
    },
    env: { ROSTERGATE_PROXY_PORT: String(port) },
    stdin: `${credentials.SCHEDULING_PASSWORD}\n`,
  });
  expect(outputs).toHaveLength(4);
  expect(outputs[1]).toContain('Good: staff-proxy.json, with 1 account, 1 key.');
  // The proxy logs between and behind what curl prints, which ends without a line break.
  const people = /\[\{"FirstName"[^\]]*\}\]/.exec(outputs[2] ?? '')?.[0];
  expect(JSON.parse(people ?? '')).toEqual(
    Array.from({ length: 3 }, () => ({ FirstName: expect.any(String), LastName: expect.any(String) })),
  );
  expect(outputs[3]).toMatch(/"token_type":"bearer"/);
  const files = await readFile(join(folder, 'my-proxy/proxy-keys.json'), 'utf8');
  expect(files + outputs.join('')).not.toContain(credentials.SCHEDULING_PASSWORD);
});

test('the README in front of the scheduling API: every block runs as it is written, those on keys too', async () => {
  const [proxyPort, schedulingPort] = await pickFreePorts(3);
  const { outputs } = await runAsReader({
    script: blocksFrom('In front of the scheduling API', 'Settings'),
    replaced: { '127.0.0.1:8010': `127.0.0.1:${proxyPort}` },
    env: {
      ROSTERGATE_PROXY_PORT: String(proxyPort),
      ROSTERGATE_SCHEDULING_PORT: String(schedulingPort),
      ROSTERGATE_PROXY_UPSTREAM_URL: `http://127.0.0.1:${schedulingPort}`,
    },
  });
  expect(outputs).toHaveLength(3);
  expect(outputs[1]).toContain('"StaffId":"N-1"');
  const rows = (outputs[2] ?? '').split('\n').flatMap((line) => (line.includes('\t') ? [line.split('\t')] : []));
  expect(rows.map(([name, , , , may]) => [name, may])).toEqual([
    ['ops', 'everything'],
    ['tagger', 'getStaffMember addStaffTag'],
    ['audit', 'read but listBadgeIds'],
  ]);
  expect(outputs[2]).toContain('Revoked tagger.');
});
