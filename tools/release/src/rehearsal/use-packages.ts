import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkResolution, createImportProgram, listEntryPoints } from './entry-points.ts';
import type { PublishedPackage } from './published-package.ts';
import { runCommand, tryCommand } from './run-command.ts';
import { compileReadmes, installReadmes, parseReadme, runReadme } from './run-readme.ts';
import { type PublishedServers, servePublished } from './serve-published.ts';
import { RehearsalFault, type StepList } from './step-list.ts';
import {
  createUserEnv,
  installByNpm,
  installByPnpm,
  type NodeRuntime,
  ownNode,
  type PackageSource,
  runsOn,
} from './user-project.ts';

export interface UseOptions {
  readonly steps: StepList;
  readonly scratch: string;
  readonly packages: readonly PublishedPackage[];
  readonly source: PackageSource;
  /** Oldest first. */
  readonly nodes: readonly NodeRuntime[];
}

/** Installs the published packages in empty projects, compiles and loads their entry points, runs their commands and READMEs. */
export async function usePackages(options: UseOptions): Promise<void> {
  const { steps, scratch, packages, nodes } = options;
  const byNpm = join(scratch, 'by-npm');
  const exact = packages.map(({ name, version }) => `${name}@${version}`);
  await steps.need('install by npm', () => useByNpm(byNpm, exact, options), String);
  await steps.check('install by pnpm', () => useByPnpm(join(scratch, 'by-pnpm'), exact, options));
  for (const node of nodes) {
    await steps.check(`load on Node ${node.version}`, () => loadEntryPoints(byNpm, node, packages));
    await steps.check(`commands on Node ${node.version}`, () => runCommands(byNpm, node, packages));
  }
  await steps.check('npx in an empty folder', () => runNpx(join(scratch, 'by-npx'), options));
  await steps.check('npm create', () => createProject(join(scratch, 'by-npm-create'), options));
  await withServers(byNpm, options, (servers) => runReadmes(servers, options));
}

async function useByNpm(folder: string, exact: readonly string[], { packages, source, nodes }: UseOptions) {
  const oldest = nodes.find((node) => packages.every(({ manifest }) => runsOn(node, manifest.engines?.node ?? '')));
  await installByNpm(folder, [...exact, '@types/node'], createUserEnv(source, oldest ?? ownNode));
  return compileEntryPoints(folder, packages);
}

async function useByPnpm(folder: string, exact: readonly string[], { packages, source }: UseOptions) {
  await installByPnpm(folder, [...exact, '@types/node'], { env: createUserEnv(source, ownNode), source });
  const result = await compileEntryPoints(folder, packages);
  await runCommand(ownNode.program, ['--no-warnings', 'imports.js'], { cwd: folder });
  return result;
}

async function compileEntryPoints(folder: string, packages: readonly PublishedPackage[]): Promise<string> {
  const specifiers = packages.flatMap(listEntryPoints);
  await writeFile(join(folder, 'imports.ts'), createImportProgram(specifiers));
  await checkResolution(folder, ['imports.ts'], ['node']);
  return `${packages.length} packages; ${specifiers.length} imports compile with nodenext and bundler resolution`;
}

async function loadEntryPoints(
  folder: string,
  node: NodeRuntime,
  packages: readonly PublishedPackage[],
): Promise<string> {
  const fitting = packages.filter(({ manifest }) => runsOn(node, manifest.engines?.node ?? ''));
  const specifiers = fitting.flatMap(listEntryPoints);
  await writeFile(join(folder, 'fitting.mjs'), createImportProgram(specifiers));
  await runCommand(node.program, ['fitting.mjs'], { cwd: folder });
  return `${specifiers.length} imports of ${fitting.length} packages`;
}

/** Runs each command with --version; on an unsupported Node it must print one line and fail. */
async function runCommands(folder: string, node: NodeRuntime, packages: readonly PublishedPackage[]): Promise<string> {
  const results: string[] = [];
  for (const { manifest, version } of packages) {
    for (const command of Object.keys(manifest.bin ?? {})) {
      const fits = runsOn(node, manifest.engines?.node ?? '');
      const program = join(folder, 'node_modules/.bin', command);
      const { exitCode, stdout, stderr } = await tryCommand(node.program, [program, '--version'], { cwd: folder });
      const isGood = fits
        ? exitCode === 0 && stdout === `${version}\n` && stderr === ''
        : exitCode !== 0 && stdout === '' && /^[^\n]*too old[^\n]*\n$/.test(stderr);
      if (!isGood) throw new RehearsalFault(`${command} --version exited with ${exitCode}:\n${stdout}${stderr}`);
      results.push(`${command} ${fits ? version : 'rejects it'}`);
    }
  }
  return results.join(', ');
}

/** Runs the first commands of the gateway's README in an empty folder. */
async function runNpx(folder: string, { source }: UseOptions): Promise<string> {
  await mkdir(folder);
  const env = createUserEnv(source, ownNode);
  await runCommand('npx', ['--yes', 'rostergate', 'init', 'my-gateway'], { cwd: folder, env });
  const made = join(folder, 'my-gateway');
  await runCommand('npx', ['--yes', 'rostergate', 'validate'], { cwd: made, env });
  await runCommand('npm', ['install'], { cwd: made, env });
  await runCommand('npx', ['tsc'], { cwd: made, env });
  return 'npx rostergate validate accepts the files of npx rostergate init, and after npm install they type-check';
}

/** Creates a project as the README of create-rostergate says, and uses it. */
async function createProject(folder: string, { source }: UseOptions): Promise<string> {
  await mkdir(folder);
  const env = createUserEnv(source, ownNode);
  const args = ['create', '--silent', '--yes', 'rostergate', 'my-api', '--', '--template', 'front-an-api', '--json'];
  const { files } = JSON.parse(await runCommand('npm', args, { cwd: folder, env })) as { files: string[] };
  const made = join(folder, 'my-api');
  await runCommand('npm', ['install'], { cwd: made, env });
  await runCommand('npm', ['run', 'check'], { cwd: made, env });
  return `${files.length} files, which npm install and npm run check accept`;
}

async function withServers(
  folder: string,
  { steps, packages, source, nodes }: UseOptions,
  use: (servers: PublishedServers) => Promise<void>,
): Promise<void> {
  const gateway = packages.find(({ name }) => name === 'rostergate');
  const readme = await readFile(join(gateway?.folder ?? '', 'README.md'), 'utf8');
  const node = nodes.find((each) => runsOn(each, gateway?.manifest.engines?.node ?? '')) ?? ownNode;
  const project = { folder, env: createUserEnv(source, node) };
  const servers = await steps.need(
    `serve by npx on Node ${node.version}`,
    () => servePublished(project, readme),
    () => 'rostergate, rostergate-scheduling and rostergate-staff-proxy respond',
  );
  await use(servers).finally(() =>
    steps.check('stop by SIGTERM', async () => servers.stop().then(() => 'three servers')),
  );
}

async function runReadmes(servers: PublishedServers, { steps, scratch, packages, source, nodes }: UseOptions) {
  const folder = join(scratch, 'readmes');
  // The commands of the other READMEs have just been run.
  const libraries = packages.filter(({ manifest }) => manifest.bin === undefined);
  const install = async () => {
    const readmes = await Promise.all(
      libraries.map(async (published) => {
        const text = await readFile(join(published.folder, 'README.md'), 'utf8');
        return parseReadme(published, text, replacedIn(published.name, servers));
      }),
    );
    await installReadmes(folder, readmes, source);
    return readmes;
  };
  const readmes = await steps.need('install by READMEs', install, ({ length }) => `${length} projects`);
  await steps.check('compile the READMEs', async () => {
    await compileReadmes(folder, readmes);
    return `${readmes.length} programs compile with both resolutions`;
  });
  for (const readme of readmes) {
    await steps.check(`README of ${readme.published.name}`, async () => {
      const versions = await runReadme(folder, readme, nodes);
      return `prints the stated output on Node ${versions.join(', ')}`;
    });
  }
}

/** Returns the placeholders of a README with their values. */
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
