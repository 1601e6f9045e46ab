import type { PublishedPackage } from './published-package.ts';

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
