import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readNamedFiles } from './readme-program.ts';
import { runCommand, type ServedCommand, startCommand } from './run-command.ts';
import { RehearsalFault } from './step-list.ts';

/** A working folder and its environment. */
export interface WorkingFolder {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The servers for the programs of the READMEs, with their credentials. */
export interface PublishedServers {
  readonly urls: Readonly<Record<'gateway' | 'proxy' | 'scheduling', string>>;
  readonly gatewayKey: string;
  readonly proxyKey: string;
  readonly login: { readonly email: string; readonly password: string; readonly companyKey: string };
  stop(): Promise<void>;
}

const companyKey = 'rehearsal-company';
const email = 'ops@rehearsal.example';

/** Configures and starts the three servers with their published commands, the gateway with the services of its README. */
export async function servePublished({ folder, env }: WorkingFolder, gatewayReadme: string): Promise<PublishedServers> {
  const started: ServedCommand[] = [];
  const serve = async (cwd: string, args: readonly string[]) => {
    const server = await startCommand('npx', ['--no', '--', ...args, '--port', '0'], { cwd, env });
    started.push(server);
    return server.url;
  };
  const stop = async () => {
    for (const server of started.toReversed()) await server.stop();
  };
  try {
    const gateway = await setUpGateway({ folder, env }, gatewayReadme);
    const gatewayUrl = await serve(gateway.folder, ['rostergate', 'serve']);
    await checkReadmeServices(gatewayUrl, gateway.key);
    const password = randomBytes(12).toString('hex');
    const schedulingUrl = await serve(await setUpScheduling({ folder, env }, password), ['rostergate-scheduling']);
    const proxy = await setUpProxy({ folder, env }, schedulingUrl, password);
    const proxyUrl = await serve(proxy.folder, ['rostergate-staff-proxy']);
    const urls = { gateway: gatewayUrl, proxy: proxyUrl, scheduling: schedulingUrl };
    return { urls, gatewayKey: gateway.key, proxyKey: proxy.key, login: { email, password, companyKey }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function setUpGateway({ folder, env }: WorkingFolder, readme: string) {
  const npx = (cwd: string, args: readonly string[]) =>
    runCommand('npx', ['--no', '--', 'rostergate', ...args], { cwd, env });
  const key = (await npx(folder, ['init', 'gateway'])).trim();
  const own = join(folder, 'gateway');
  const files = readNamedFiles(readme);
  if (files.length === 0) throw new RehearsalFault('The README of the gateway contains no service.');
  for (const { path, code } of files) await writeFile(join(own, path), code);
  const endpoints = JSON.parse(await readFile(join(own, 'endpoints.json'), 'utf8'));
  endpoints.endpoints.push(
    { path: '/greet/{name}', service: 'greet' },
    { path: '/report', service: 'report', requires_auth: true },
  );
  await writeFile(join(own, 'endpoints.json'), JSON.stringify(endpoints));
  await npx(own, ['validate']);
  return { folder: own, key };
}

async function checkReadmeServices(url: string, key: string): Promise<void> {
  const greeting = await fetch(`${url}/greet/Ada`);
  const text = await greeting.text();
  if (text !== '{"message":"Hello, Ada."}') throw new RehearsalFault(`/greet/Ada returned ${greeting.status} ${text}.`);
  const report = await fetch(`${url}/report`, { headers: { 'X-API-Key': key } });
  if (report.headers.get('content-type')?.startsWith('text/csv') !== true) {
    throw new RehearsalFault(`/report returned ${report.status} ${await report.text()}.`);
  }
}

async function setUpScheduling({ folder, env }: WorkingFolder, password: string): Promise<string> {
  const own = join(folder, 'scheduling');
  await mkdir(own);
  const npx = (args: readonly string[], input = '') =>
    runCommand('npx', ['--no', '--', 'rostergate-scheduling', ...args], { cwd: own, env, input });
  await npx(['seed', '--companies', '1', '--staff', '300', '--company-key', companyKey]);
  await npx(['accounts', 'add', email, '--company', companyKey, '--admin', '--password-stdin'], `${password}\n`);
  return own;
}

async function setUpProxy({ folder, env }: WorkingFolder, upstream: string, password: string) {
  const own = join(folder, 'proxy');
  await mkdir(own);
  const accounts = { admin: { email, password, company_key: companyKey, admin: true } };
  await writeFile(join(own, 'proxy-keys.json'), JSON.stringify({ accounts }), { mode: 0o600 });
  await writeFile(join(own, 'staff-proxy.json'), JSON.stringify({ upstream_url: `${upstream}/v2` }));
  const npx = (args: readonly string[]) =>
    runCommand('npx', ['--no', '--', 'rostergate-staff-proxy', ...args], { cwd: own, env });
  const key = (await npx(['keys', 'create', '--name', 'rehearsal', '--account', 'admin'])).trim();
  await npx(['validate']);
  return { folder: own, key };
}
