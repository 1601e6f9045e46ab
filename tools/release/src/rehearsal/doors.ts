import type { PublishedPackage } from './published-package.ts';

type Doored = Pick<PublishedPackage, 'name' | 'files'> & {
  readonly manifest: Pick<PublishedPackage['manifest'], 'exports'>;
};

/** Everything of a package that can be imported, by its full name; of a pattern, every file that it stands for. */
export function listDoors({ name, files, manifest }: Doored): string[] {
  return Object.entries(manifest.exports ?? {}).flatMap(([door, target]) => {
    const specifier = name + door.slice(1);
    if (!door.includes('*') || typeof target !== 'string') return [specifier];
    const [start = '', end = ''] = target.slice(2).split('*');
    const filled = files.filter((file) => file.startsWith(start) && file.endsWith(end));
    return filled.map((file) => specifier.replace('*', file.slice(start.length, file.length - end.length)));
  });
}

/** A program that opens doors, and says how many names are behind each. */
export function createDoorProgram(doors: readonly string[]): string {
  const imports = doors.map((door, index) => {
    const attributes = door.endsWith('.json') ? " with { type: 'json' }" : '';
    return `import ${attributes ? '' : '* as '}door${index} from '${door}'${attributes};`;
  });
  const prints = doors.map((door, index) => `console.log('${door}', Object.keys(door${index}).length);`);
  return [...imports, ...prints, ''].join('\n');
}
