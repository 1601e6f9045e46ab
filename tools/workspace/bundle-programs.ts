import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';
import { type ProgramName, programSource } from './program-file.ts';

/** Services import `rostergate`, which must be the copy that runs them; the trial of services is a program of its own. */
const entries: Readonly<Record<ProgramName, readonly string[]>> = {
  gateway: ['main', 'index', 'sources/trial-process'],
  'staff-proxy': ['main'],
  scheduling: ['main'],
};

/**
 * For vitest, and a run of all tests of a package: the programs that it starts, an app its own, in a few files each, made of
 * their sources as they are and run in their place. Half of what a start takes is finding and reading a thousand modules,
 * and tests start hundreds. What all acceptance tests share runs from the sources.
 */
export default async function setUp(): Promise<void> {
  const isOfAll = process.argv.slice(3).every((arg) => arg.startsWith('-'));
  // A few files are there sooner without.
  if (!isOfAll || ![undefined, 'postgres'].includes(process.env.TEST_WITH)) return;
  const folder = join(process.cwd(), 'node_modules/.cache/programs');
  const names = Object.keys(entries) as ProgramName[];
  const own = names.filter((name) => dirname(programSource(name)) === process.cwd());
  await Promise.all((own.length > 0 ? own : names).map((name) => bundle(name, join(folder, name))));
  process.env.TEST_PROGRAMS = folder;
}

/** Another run may be starting what is there: each file is replaced whole, and the parts are named by what is in them. */
async function bundle(name: ProgramName, folder: string): Promise<void> {
  const source = programSource(name);
  const built = await build({
    configFile: false,
    root: source,
    logLevel: 'error',
    plugins: [keepPlaces()],
    resolve: { mainFields: ['module', 'main'] },
    ssr: { noExternal: true, resolve: { conditions: ['source', 'node'] } },
    build: {
      ssr: true,
      write: false,
      minify: false,
      target: 'esnext',
      rolldownOptions: {
        input: Object.fromEntries(entries[name].map((entry) => [entry, join(source, `${entry}.ts`)])),
        output: { entryFileNames: '[name].js', chunkFileNames: 'parts/[name]-[hash].js' },
      },
    },
  });
  const [result] = Array.isArray(built) ? built : [built];
  if (result === undefined || !('output' in result)) throw new Error(`Nothing was made of ${source}.`);
  const files = result.output.flatMap((one) => (one.type === 'chunk' ? [[one.fileName, one.code] as const] : []));
  for (const [file, text] of [['package.json', '{ "type": "module" }'] as const, ...files.reverse()]) {
    const next = join(folder, `${file}.${process.pid}`);
    await mkdir(dirname(next), { recursive: true });
    await writeFile(next, text);
    await rename(next, join(folder, file));
  }
}

/** Files that a module looks for lie beside its source, but for the program itself. */
function keepPlaces(): Plugin {
  return {
    name: 'keep-places',
    enforce: 'pre',
    transform(code, id) {
      if (!/import\.meta\.url|__dirname|__filename/.test(code) || id.endsWith('/service-modules.ts')) return;
      const text = (value: string) => JSON.stringify(value);
      return code
        .replaceAll('import.meta.url', text(pathToFileURL(id).href))
        .replace(/\b__dirname\b/g, text(dirname(id)))
        .replace(/\b__filename\b/g, text(id));
    },
  };
}
