import { mkdir, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';
import { type ProgramName, programSource } from './program-file.ts';

/**
 * Services import the `rostergate` that runs them, hence `index`; services are tried in a process of their own. A test of
 * the gateway reads folders in a process of its own, which starts many trials. Most tests start the scheduling API with
 * a low cost of passwords.
 */
const entries: Readonly<Record<ProgramName, readonly string[]>> = {
  gateway: ['main', 'index', 'sources/trial-process', '../test/running/read-folders'],
  'staff-proxy': ['main'],
  scheduling: ['main', '../test/low-cost-main'],
};
const names = Object.keys(entries) as ProgramName[];

/**
 * Global setup of vitest for a run of all tests of a package: bundles the programs that the tests start (an app only its
 * own) into a few files. Half of the start time of a program is finding and reading a thousand modules, and the tests
 * start hundreds of programs. CI bundles all programs once for the stages with fewer starts, by running this file.
 */
export default async function setUp(): Promise<void> {
  const runsAllTests = process.argv.slice(3).every((arg) => arg.startsWith('-'));
  const { TEST_PROGRAMS, TEST_WITH } = process.env;
  // A run of a few files is faster without a bundle.
  if (TEST_PROGRAMS !== undefined || !runsAllTests || ![undefined, 'postgres'].includes(TEST_WITH)) return;
  const own = names.filter((name) => dirname(programSource(name)) === process.cwd());
  const folder = join(process.cwd(), 'node_modules/.cache/programs');
  await bundleAll(own.length > 0 ? own : names, folder);
  process.env.TEST_PROGRAMS = folder;
}

async function bundleAll(some: readonly ProgramName[], folder: string): Promise<void> {
  await Promise.all(some.map((name) => bundle(name, join(folder, name))));
}

/** Replaces each file atomically and names chunks by their content, because another run may be starting the old files. */
async function bundle(name: ProgramName, folder: string): Promise<void> {
  const source = programSource(name);
  const built = await build({
    configFile: false,
    root: source,
    logLevel: 'error',
    plugins: [inlinePaths()],
    resolve: { mainFields: ['module', 'main'] },
    ssr: { noExternal: true, resolve: { conditions: ['source', 'node'] } },
    build: {
      ssr: true,
      write: false,
      minify: false,
      target: 'esnext',
      rolldownOptions: {
        input: Object.fromEntries(
          entries[name].map((entry) => [entry.replace(/^\.\.\/.*\//, ''), join(source, `${entry}.ts`)]),
        ),
        output: { entryFileNames: '[name].js', chunkFileNames: 'parts/[name]-[hash].js' },
      },
    },
  });
  const [result] = Array.isArray(built) ? built : [built];
  if (result === undefined || !('output' in result)) throw new Error(`The bundle of ${source} is empty.`);
  const files = result.output.flatMap((one) => (one.type === 'chunk' ? [[one.fileName, one.code] as const] : []));
  for (const [file, text] of [['package.json', '{ "type": "module" }'] as const, ...files.reverse()]) {
    const next = join(folder, `${file}.${process.pid}`);
    await mkdir(dirname(next), { recursive: true });
    await writeFile(next, text);
    await rename(next, join(folder, file));
  }
}

/** Replaces the paths of each module by those of its source, where it finds its other files. */
function inlinePaths(): Plugin {
  return {
    name: 'inline-paths',
    enforce: 'pre',
    transform(code, id) {
      if (!/import\.meta\.url|__dirname|__filename/.test(code) || id.endsWith('/service-modules.ts')) return;
      const text = (value: string) => JSON.stringify(value);
      return bundleRequired(code, id)
        .replaceAll('import.meta.url', text(pathToFileURL(id).href))
        .replace(/\b__dirname\b/g, text(dirname(id)))
        .replace(/\b__filename\b/g, text(id));
    },
  };
}

/**
 * Makes the bundle contain the packages that a module loads on demand: undici or express-openapi-validator with its Ajv
 * are 200 files each, and loading them one by one takes 100 ms of a program.
 */
function bundleRequired(code: string, id: string): string {
  return code
    .replace(/^ *const require = createRequire\(import\.meta\.url\);$/m, '')
    .replace(/^ *const requireBeside = .*$/m, '')
    .replace(/\brequireBeside\('(.*?)'\)/g, (_, name) => {
      const beside = createRequire(createRequire(id).resolve('express-openapi-validator/package.json'));
      return `require(${JSON.stringify(beside.resolve(name))})`;
    });
}

const [, , given] = process.argv;
if (import.meta.main && given !== undefined) await bundleAll(names, given);
