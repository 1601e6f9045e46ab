import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverPrograms } from '../server-programs.ts';
import { outsideEnv, type ServerName } from '../start-server.ts';
import { inLanes } from './in-lanes.ts';
import { createCanary } from './uses-of-a-key.ts';

/** The output of a program for an invalid configuration, and the secret in it. */
export interface ConfigurationOutput {
  readonly name: string;
  readonly secret: string;
  readonly text: string;
}

interface BrokenConfiguration {
  readonly server: ServerName;
  readonly command: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** Returns configurations with a secret where one belongs, and a fault there or next to it. */
function brokenConfigurations(secret: string): BrokenConfiguration[] {
  const digest = 'a'.repeat(64);
  const keys = (entry: object) =>
    JSON.stringify({ keys: [{ name: 'a', owner: 'a', sha256: digest, ...entry }] }, null, 2);
  const account = { email: 'a@b.example', password: secret, company_key: 'C' };
  const proxyKeys = (more: object) =>
    JSON.stringify({ accounts: { main: { ...account, ...more } }, keys: [] }, null, 2);
  const gatewayFiles: Readonly<Record<string, string>>[] = [
    { 'settings.json': JSON.stringify({ api_keys: secret, host: 1 }, null, 2) },
    { 'settings.json': JSON.stringify({ api_keys: [secret] }, null, 2) },
    { 'settings.json': JSON.stringify({ api_keys: { key: secret } }) },
    { 'settings.json': JSON.stringify({ api_key: secret }, null, 2) },
    { 'settings.json': JSON.stringify({ api_keys: `sha256:${secret}` }, null, 2) },
    { 'settings.json': JSON.stringify({ api_keys: `sha256:${digest}, ${secret} ${secret}` }, null, 2) },
    { 'settings.json': `{\n  "api_keys": "${secret}",\n  "port" 1\n}` },
    { 'settings.json': `{\n  "api_keys": "${secret}\n}` },
    { 'settings.json': `{\n  "api_keys": ${secret}\n}` },
    { 'settings.json': JSON.stringify({ redis_url: `redis://:${secret}@host:port` }, null, 2) },
    { 'settings.json': JSON.stringify({ redis_url: `http://:${secret}@host` }, null, 2) },
    { 'settings.json': JSON.stringify({ usage: {}, usage_store_url: `postgres://u:${secret}@host:port/d` }, null, 2) },
    { 'settings.json': JSON.stringify({ crypto_upstream_url: `ftp://x:${secret}@host` }, null, 2) },
    { 'settings.json': '{}', 'keys.json': keys({ sha256: secret }) },
    { 'settings.json': '{}', 'keys.json': keys({ key: secret }) },
    { 'settings.json': '{}', 'keys.json': keys({ sha256: digest.slice(1), note: secret }) },
    { 'settings.json': '{}', 'keys.json': `{"keys": [{"name": "a", "owner": "a", "sha256": "${secret}" "x"}]}` },
    {
      'endpoints.json': JSON.stringify(
        { endpoints: [{ path: '/x', service: 'static', api_keys: [secret], requires_auth: 1 }] },
        null,
        2,
      ),
    },
    {
      'endpoints.json': JSON.stringify(
        {
          endpoints: [
            { path: '/x', service: 'http', upstream: { targets: [`http://x:${secret}@host`], timeout_ms: 'x' } },
          ],
        },
        null,
        2,
      ),
    },
  ];
  const tokenOf = (auth: object) => ({
    path: '/x',
    service: 'http',
    upstream: { targets: ['http://a.example'], auth: { token_url: 'http://a.example/token', ...auth } },
  });
  const endpointsFiles: object[] = [
    { endpoints: [tokenOf({ type: 'login', fields: { password: secret }, body: 'xml' })] },
    { endpoints: [tokenOf({ type: 'login', fields: { password: [secret] } })] },
    { endpoints: [tokenOf({ type: 'login', field: { password: secret } })] },
    { endpoints: [tokenOf({ type: 'client_credentials', client_secret: secret })] },
    { endpoints: [tokenOf({ type: 'client_credentials', client_id: 'a', secret })] },
    { endpoints: [tokenOf({ type: 'login', token_url: `http://x:${secret}@a.example/token` })] },
    { policies: { a: { type: 'headers', request: { set: { 'X-Key': secret, 'X Key': secret } } } }, endpoints: [] },
    { policies: { a: { type: 'headers', request: { set: { Authorization: `${secret}\n` } } } }, endpoints: [] },
    { policies: { a: { type: 'headers', request: { add: { Host: secret } } } }, endpoints: [] },
    { policies: { a: { type: 'code', module: 'a.ts', options: { secret }, option: { secret } } }, endpoints: [] },
  ];
  const proxyFiles: Readonly<Record<string, string>>[] = [
    { 'proxy-keys.json': proxyKeys({ admin: 'x' }) },
    { 'proxy-keys.json': proxyKeys({ password: [secret] }) },
    { 'proxy-keys.json': proxyKeys({ password: undefined, password_env: secret }) },
    { 'proxy-keys.json': proxyKeys({ password: undefined, password_file: secret }) },
    { 'proxy-keys.json': proxyKeys({ pasword: secret }) },
    { 'proxy-keys.json': `${proxyKeys({}).slice(0, -3)},` },
    {
      'proxy-keys.json': JSON.stringify(
        { accounts: {}, keys: [{ name: 'a', owner: 'a', sha256: secret, account: 'main' }] },
        null,
        2,
      ),
    },
    {
      'staff-proxy.json': JSON.stringify({ upstream_url: `http://x:${secret}@host/v2` }, null, 2),
      'proxy-keys.json': proxyKeys({}),
    },
    { 'staff-proxy.json': `{ "redis_url": "redis://:${secret}@host" "x"}`, 'proxy-keys.json': proxyKeys({}) },
  ];
  const accounts = (entry: object) =>
    JSON.stringify([{ email: 'a@b.example', company_key: 'C', password: secret, ...entry }], null, 2);
  const accountFiles = [
    accounts({}),
    accounts({ password: `scrypt:1:1:1:${secret}` }),
    accounts({ pass: secret }),
    `${accounts({}).slice(0, -2)},`,
  ];
  const commandOf = (n: number) => (n % 3 === 0 ? 'serve' : 'validate');
  return [
    ...[
      ...gatewayFiles,
      ...endpointsFiles.map((file) => ({ 'endpoints.json': JSON.stringify(file, null, 2) })),
      { 'settings.json': JSON.stringify({ jwt_issuers: [{ name: 'a', issuer: `https://x:${secret}@a.example` }] }) },
    ].map((files, n) => ({ server: 'gateway' as const, command: commandOf(n), files })),
    ...proxyFiles.map((files, n) => ({ server: 'staff-proxy' as const, command: commandOf(n), files })),
    ...accountFiles.map((text) => ({
      server: 'scheduling' as const,
      command: 'serve',
      files: { 'accounts.json': text },
      env: { ROSTERGATE_SCHEDULING_ACCOUNTS_FILE: 'accounts.json', ROSTERGATE_SCHEDULING_PORT: '0' },
    })),
    ...[`postgres://x:${secret}@127.0.0.1:9/x`, `postgres://x:${secret}@host:port/x`, `mysql://x:${secret}@host/x`].map(
      (url) => ({
        server: 'scheduling' as const,
        command: 'serve',
        env: { ROSTERGATE_SCHEDULING_DATABASE_URL: url, ROSTERGATE_SCHEDULING_PORT: '0' },
      }),
    ),
  ];
}

const patienceMs = 20_000;

/** Runs the programs with invalid configurations. @param sampleEvery runs one in this many */
export async function tryBrokenConfigurations(sampleEvery: number, abreast = 3): Promise<ConfigurationOutput[]> {
  const numbers = Array.from(brokenConfigurations('x').keys()).filter((n) => n % sampleEvery === 0);
  return inLanes(abreast, numbers, async (n) => {
    const secret = createCanary();
    const broken = brokenConfigurations(secret)[n] as BrokenConfiguration;
    return { name: `${broken.server} ${broken.command}, fault ${n}`, secret, text: await runToEnd(broken) };
  });
}

async function runToEnd({ server, command, files = {}, env = {} }: BrokenConfiguration): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-broken-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text, { mode: 0o600 });
  const child = spawn(process.execPath, ['--conditions=source', serverPrograms[server].file, command], {
    cwd: folder,
    env: { ...outsideEnv(), ROSTERGATE_PORT: '0', ROSTERGATE_PROXY_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const patience = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  await new Promise((resolve) => child.once('close', resolve));
  clearTimeout(patience);
  await rm(folder, { recursive: true, force: true });
  return text;
}
