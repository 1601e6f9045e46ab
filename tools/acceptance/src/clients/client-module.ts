import { bundleProgram } from './bundle-program.ts';

/** Returns the files of an installed staff client, by path, for programs that run outside the workspace. */
export async function createClientModule(): Promise<Readonly<Record<string, string>>> {
  const folder = 'node_modules/@rostergate/staff-client';
  return {
    [`${folder}/package.json`]: '{ "type": "module", "exports": "./index.js" }',
    [`${folder}/index.js`]: await bundleProgram("export * from '@rostergate/staff-client';"),
  };
}
