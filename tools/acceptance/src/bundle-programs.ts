import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';
import { bundled, serverPrograms } from './server-programs.ts';

const folder = fileURLToPath(new URL('../node_modules/.cache/programs', import.meta.url));

/**
 * For vitest, and a run of all tests: the staff proxy and the scheduling server in one file each, made of their sources
 * as they are and run in their place. Half of what a start takes is finding and reading a thousand modules, and tests
 * start hundreds. What all tests share runs from the sources, and so does the gateway: services import its parts.
 */
export default async function setUp(): Promise<void> {
  const isOfAll = process.argv.slice(3).every((arg) => arg.startsWith('-'));
  const { TEST_WITH = 'postgres' } = process.env;
  // A few files are there sooner without.
  if (!isOfAll || TEST_WITH !== 'postgres') return;
  await mkdir(folder, { recursive: true });
  await Promise.all(bundled.map((name) => bundle(serverPrograms[name].file, join(folder, `${name}.mjs`))));
  process.env.TEST_PROGRAMS = folder;
}

/** Another run may be starting what is there: it is replaced whole. */
async function bundle(input: string, output: string): Promise<void> {
  const built = await build({
    configFile: false,
    root: dirname(input),
    logLevel: 'error',
    plugins: [keepPlaces()],
    resolve: { mainFields: ['module', 'main'] },
    ssr: { noExternal: true, resolve: { conditions: ['source', 'node'] } },
    build: {
      ssr: input,
      write: false,
      minify: false,
      target: 'esnext',
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const [result] = Array.isArray(built) ? built : [built];
  if (result === undefined || !('output' in result)) throw new Error(`Nothing was made of ${input}.`);
  const next = `${output}.${process.pid}`;
  await writeFile(next, result.output[0].code);
  await rename(next, output);
}

/** Files that a module looks for lie beside its source. */
function keepPlaces(): Plugin {
  return {
    name: 'keep-places',
    enforce: 'pre',
    transform(code, id) {
      if (!/import\.meta\.url|__dirname|__filename/.test(code)) return;
      const text = (value: string) => JSON.stringify(value);
      return code
        .replaceAll('import.meta.url', text(pathToFileURL(id).href))
        .replace(/\b__dirname\b/g, text(dirname(id)))
        .replace(/\b__filename\b/g, text(id));
    },
  };
}
