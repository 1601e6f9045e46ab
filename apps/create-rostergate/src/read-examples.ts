import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Templates } from './template.ts';

/** What belongs to an example. Other files, such as keys and installed packages, come from running it. */
const patterns = ['README.md', '{package,tsconfig,settings,endpoints,staff-proxy,*.openapi}.json', '{,services/}*.ts'];

/** Returns the examples in a folder as templates, each with the `.gitignore` of the folder. */
export function readExamples(folder: string): Templates {
  const ignored = readFileSync(join(folder, '.gitignore'), 'utf8');
  const names = globSync('*/package.json', { cwd: folder }).map((path) => path.split(/[\\/]/)[0] ?? '');
  return Object.fromEntries(
    names.toSorted().map((name) => {
      const paths = globSync(patterns, { cwd: join(folder, name) }).toSorted();
      const files = paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(join(folder, name, path), 'utf8')]);
      return [name, { '.gitignore': ignored, ...Object.fromEntries(files) }];
    }),
  );
}
