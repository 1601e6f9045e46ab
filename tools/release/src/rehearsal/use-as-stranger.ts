import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkResolution } from './check-resolution.ts';
import { createDoorProgram, listDoors } from './doors.ts';
import { type NodeRuntime, ownNode, runsOn } from './node-runtime.ts';
import type { PublishedPackage } from './published-package.ts';
import { runCommand, tryCommand } from './run-command.ts';
import { runReadme } from './run-readme.ts';
import { type PublishedServers, servePublished } from './serve-published.ts';
import { RehearsalFault, type StepList } from './step-list.ts';
import { createStrangerEnv, installByNpm, installByPnpm, type PackageSource } from './stranger-project.ts';

export interface StrangerOptions {
  readonly steps: StepList;
  readonly scratch: string;
  readonly packages: readonly PublishedPackage[];
  readonly source: PackageSource;
  /** Oldest first. */
  readonly nodes: readonly NodeRuntime[];
}

/** Installs, compiles against, loads, runs and reads what was published, in projects that have nothing else. */
export async function useAsStranger(options: StrangerOptions): Promise<void> {
  const { steps, scratch, packages, nodes } = options;
  const byNpm = join(scratch, 'by-npm');
  const exact = packages.map(({ name, version }) => `${name}@${version}`);
  await steps.need('install by npm', () => useByNpm(byNpm, exact, options), String);
  await steps.check('install by pnpm', () => useByPnpm(join(scratch, 'by-pnpm'), exact, options));
  for (const node of nodes) {
    await steps.check(`load on Node ${node.version}`, () => loadDoors(byNpm, node, packages));
    await steps.check(`commands on Node ${node.version}`, () => runCommands(byNpm, node, packages));
  }
  await steps.check('npx in an empty folder', () => runNpx(join(scratch, 'by-npx'), options));
  await withServers(byNpm, options, (servers) => runReadmes(servers, options));
}

async function useByNpm(folder: string, exact: readonly string[], { packages, source, nodes }: StrangerOptions) {
  const oldest = nodes.find((node) => packages.every(({ manifest }) => runsOn(node, manifest.engines?.node ?? '')));
  await installByNpm(folder, [...exact, '@types/node'], createStrangerEnv(source, oldest ?? ownNode));
  return compileDoors(folder, packages);
}

async function useByPnpm(folder: string, exact: readonly string[], { packages, source }: StrangerOptions) {
  await installByPnpm(folder, [...exact, '@types/node'], { env: createStrangerEnv(source, ownNode), source });
  const said = await compileDoors(folder, packages);
  await runCommand(ownNode.program, ['--no-warnings', 'out/doors.js'], { cwd: folder });
  return said;
}

async function compileDoors(folder: string, packages: readonly PublishedPackage[]): Promise<string> {
  const doors = packages.flatMap(listDoors);
  await writeFile(join(folder, 'doors.ts'), createDoorProgram(doors));
  await checkResolution(folder, ['node']);
  return `${packages.length} packages; ${doors.length} imports compile by nodenext and bundler resolution`;
}

async function loadDoors(folder: string, node: NodeRuntime, packages: readonly PublishedPackage[]): Promise<string> {
  const fitting = packages.filter(({ manifest }) => runsOn(node, manifest.engines?.node ?? ''));
  const doors = fitting.flatMap(listDoors);
  await writeFile(join(folder, 'fitting.mjs'), createDoorProgram(doors));
  await runCommand(node.program, ['fitting.mjs'], { cwd: folder });
  return `${doors.length} imports of ${fitting.length} packages`;
}

/** Each command tells its version, or on a Node that is too old in one line that it is. */
async function runCommands(folder: string, node: NodeRuntime, packages: readonly PublishedPackage[]): Promise<string> {
  const told: string[] = [];
  for (const { manifest, version } of packages) {
    for (const command of Object.keys(manifest.bin ?? {})) {
      const fits = runsOn(node, manifest.engines?.node ?? '');
      const program = join(folder, 'node_modules/.bin', command);
      const { exitCode, stdout, stderr } = await tryCommand(node.program, [program, '--version'], { cwd: folder });
      const isGood = fits
        ? exitCode === 0 && stdout === `${version}\n` && stderr === ''
        : exitCode !== 0 && stdout === '' && /^[^\n]*too old[^\n]*\n$/.test(stderr);
      if (!isGood) throw new RehearsalFault(`${command} --version ended with ${exitCode}:\n${stdout}${stderr}`);
      told.push(`${command} ${fits ? version : 'refuses'}`);
    }
  }
  return told.join(', ');
}

/** What the first lines of the gateway's README say, where nothing is installed. */
async function runNpx(folder: string, { source }: StrangerOptions): Promise<string> {
  await mkdir(folder);
  const env = createStrangerEnv(source, ownNode);
  await runCommand('npx', ['--yes', 'rostergate', 'init', 'my-gateway'], { cwd: folder, env });
  const made = join(folder, 'my-gateway');
  await runCommand('npx', ['--yes', 'rostergate', 'validate'], { cwd: made, env });
  await runCommand('npm', ['install'], { cwd: made, env });
  await runCommand('npx', ['tsc'], { cwd: made, env });
  return 'npx rostergate validate takes what npx rostergate init writes, and after npm install it type-checks';
}

async function withServers(
  folder: string,
  { steps, packages, source, nodes }: StrangerOptions,
  use: (servers: PublishedServers) => Promise<void>,
): Promise<void> {
  const gateway = packages.find(({ name }) => name === 'rostergate');
  const readme = await readFile(join(gateway?.folder ?? '', 'README.md'), 'utf8');
  const node = nodes.find((each) => runsOn(each, gateway?.manifest.engines?.node ?? '')) ?? ownNode;
  const desk = { folder, env: createStrangerEnv(source, node) };
  const servers = await steps.need(
    `serve by npx on Node ${node.version}`,
    () => servePublished(desk, readme),
    () => 'rostergate, rostergate-scheduling and rostergate-staff-proxy answer',
  );
  await use(servers).finally(() =>
    steps.check('end by SIGTERM', async () => servers.stop().then(() => 'three servers')),
  );
}

async function runReadmes(servers: PublishedServers, options: StrangerOptions): Promise<void> {
  // Those of commands show what the servers have just done.
  const libraries = options.packages.filter(({ manifest }) => manifest.bin === undefined);
  const lane = async (own: readonly PublishedPackage[]) => {
    for (const published of own) await checkReadme(published, servers, options);
  };
  // Two at a time: much of it is waiting.
  await Promise.all([0, 1].map((rest) => lane(libraries.filter((_, index) => index % 2 === rest))));
}

async function checkReadme(published: PublishedPackage, servers: PublishedServers, options: StrangerOptions) {
  const { steps, scratch, source, nodes } = options;
  const folder = join(scratch, 'readmes', published.name);
  const replaced = replacedIn(published.name, servers);
  await steps.check(`README of ${published.name}`, async () => {
    const readme = await readFile(join(published.folder, 'README.md'), 'utf8');
    const versions = await runReadme({ published, readme, replaced, folder, nodes, source });
    return `compiles both ways, does what it says on Node ${versions.join(', ')}`;
  });
}

/** What stands for the reader's own in the READMEs of the clients. */
function replacedIn(name: string, { urls, gatewayKey, proxyKey, login }: PublishedServers): Record<string, string> {
  if (name === '@rostergate/gateway-client') {
    return { 'https://gateway.example.org': urls.gateway, 'your-key': gatewayKey };
  }
  if (name !== '@rostergate/staff-client') return {};
  return {
    'https://proxy.example.org': urls.proxy,
    'your-key': proxyKey,
    'https://scheduling.example.org': urls.scheduling,
    'ops@example.org': login.email,
    'your password': login.password,
    'your-company': login.companyKey,
  };
}
