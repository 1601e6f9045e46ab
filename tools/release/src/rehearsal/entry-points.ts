import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PublishedPackage } from './published-package.ts';
import { tryCommand } from './run-command.ts';
import { RehearsalFault } from './step-list.ts';

type Exporting = Pick<PublishedPackage, 'name' | 'files'> & {
  readonly manifest: Pick<PublishedPackage['manifest'], 'exports'>;
};

/** Returns all specifiers that a package exports, with every file of a pattern. */
export function listEntryPoints({ name, files, manifest }: Exporting): string[] {
  return Object.entries(manifest.exports ?? {}).flatMap(([path, target]) => {
    const specifier = name + path.slice(1);
    if (!path.includes('*') || typeof target !== 'string') return [specifier];
    const [start = '', end = ''] = target.slice(2).split('*');
    const filled = files.filter((file) => file.startsWith(start) && file.endsWith(end));
    return filled.map((file) => specifier.replace('*', file.slice(start.length, file.length - end.length)));
  });
}

/** Returns a program that imports each specifier and prints the number of its exports. */
export function createImportProgram(specifiers: readonly string[]): string {
  const imports = specifiers.map((specifier, index) => {
    const attributes = specifier.endsWith('.json') ? " with { type: 'json' }" : '';
    return `import ${attributes ? '' : '* as '}entry${index} from '${specifier}'${attributes};`;
  });
  const prints = specifiers.map(
    (specifier, index) => `console.log('${specifier}', Object.keys(entry${index}).length);`,
  );
  return [...imports, ...prints, ''].join('\n');
}

/** The module resolutions that user projects use. */
const resolutions = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
} as const;

const tsc = join(import.meta.dirname, '../../../../node_modules/.bin/tsc');

/**
 * Compiles programs of a folder with each module resolution, in strict mode and with all declaration files that they
 * import. Each is written beside its source, and imports what its own project has installed.
 */
export async function checkResolution(
  folder: string,
  programs: readonly string[],
  types: readonly string[],
): Promise<void> {
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
        // Those of the compiler itself, which no package changes.
        skipDefaultLibCheck: true,
        // Several threads take a third more of the processor.
        singleThreaded: true,
        resolveJsonModule: true,
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
