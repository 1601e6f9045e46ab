import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pickFreePort } from '../../../workspace/free-ports.ts';
import { startFixedResponse } from '../peers.ts';
import { companyKey, loadRoster, startScheduling } from '../scheduling/scheduling.ts';
import { type ServerProcess, startServer } from '../server-process.ts';

const app = (path: string) => fileURLToPath(new URL(`../../../../apps/staff-proxy/${path}`, import.meta.url));
const built = app('dist/main.js');
const program = existsSync(built) ? [built] : ['--conditions=source', app('src/main.ts')];

export interface StaffProxy extends ServerProcess {
  /** A key with all permissions. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Starts the proxy with its defaults, except a limit above the load and one log line in a hundred.
 * @param passThrough path beyond the contract that the key may read
 */
export async function startStaffProxy(upstreamUrl: string, passThrough?: string): Promise<StaffProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-bench-'));
  const key = randomBytes(24).toString('hex');
  const account = { email: 'proxy@rostergate.example', password: 'benchmark', company_key: 'company', admin: true };
  const caller = {
    name: 'load',
    owner: 'load',
    account: 'only',
    sha256: createHash('sha256').update(key).digest('hex'),
    ...(passThrough === undefined ? {} : { pass_through: ['beyond'] }),
  };
  const beyond = passThrough === undefined ? [] : [{ name: 'beyond', path: passThrough, methods: ['GET'] }];
  const keys = JSON.stringify({ accounts: { only: account }, keys: [caller] });
  await writeFile(join(folder, 'keys.json'), keys, { mode: 0o600 });
  await writeFile(join(folder, 'staff-proxy.json'), JSON.stringify({ pass_through: beyond }));
  const port = await pickFreePort();
  const server = await startServer({
    args: program,
    cwd: folder,
    env: {
      ROSTERGATE_PROXY_PORT: String(port),
      ROSTERGATE_PROXY_UPSTREAM_URL: upstreamUrl,
      ROSTERGATE_PROXY_KEYS_FILE: join(folder, 'keys.json'),
      ROSTERGATE_PROXY_RATE_LIMIT_PER_MINUTE_AUTHENTICATED: '1000000',
      ROSTERGATE_PROXY_LOG_SAMPLE_EVERY: '100',
    },
    port,
  });
  return {
    ...server,
    headers: { 'X-API-Key': key },
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** Starts an upstream of minimal cost that responds with one person to every read. */
export async function startLeanUpstream(): Promise<ServerProcess> {
  return startFixedResponse(await readPerson(), 'load');
}

/** Returns one person with tags and skills as the API writes it. */
async function readPerson(): Promise<Uint8Array> {
  const server = await startScheduling({ file: await loadRoster(1) });
  try {
    const list = await fetch(`${server.url}/v2/staffmember?companyKey=${companyKey}&$select=StaffKey&$top=1`, server);
    const [{ StaffKey }] = (await list.json()) as [{ StaffKey: string }];
    const path = `/v2/staffmember/${encodeURIComponent(StaffKey)}?$expand=Tags,Skillset`;
    return await fetch(server.url + path, server).then((response) => response.bytes());
  } finally {
    await server.stop();
  }
}
