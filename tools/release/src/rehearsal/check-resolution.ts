import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tryCommand } from './run-command.ts';
import { RehearsalFault } from './step-list.ts';

/** The module resolutions that user projects use. */
const resolutions = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
} as const;

const tsc = join(import.meta.dirname, '../../../../node_modules/.bin/tsc');

/**
 * Compiles the programs of a project with each module resolution, in strict mode and with all declaration files that they
 * import, to `out`.
 */
export async function checkResolution(folder: string, types: readonly string[]): Promise<void> {
  const programs = (await readdir(folder)).filter((name) => name.endsWith('.ts'));
  await mkdir(join(folder, 'out'), { recursive: true });
  for (const [name, options] of Object.entries(resolutions)) {
    const config = {
      compilerOptions: {
        ...options,
        target: 'es2022',
        types,
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: false,
        resolveJsonModule: true,
        outDir: 'out',
        rootDir: '.',
      },
      files: programs,
    };
    const file = join(folder, `tsconfig.${name}.json`);
    await writeFile(file, JSON.stringify(config, null, 2));
    const { exitCode, stdout } = await tryCommand(tsc, ['-p', file], { cwd: folder });
    if (exitCode !== 0) throw new RehearsalFault(`The compiler fails with ${name} resolution:\n${stdout.trim()}`);
  }
}
