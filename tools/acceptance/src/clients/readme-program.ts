import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';

const packages = new URL('../../../../packages/', import.meta.url);

/** The code blocks of a client's README as one program, in which what stands for the reader's own is replaced. */
export function readProgram(name: string, replaced: Readonly<Record<string, string>>): string {
  const readme = readFileSync(new URL(`${name}/README.md`, packages), 'utf8');
  const blocks = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block]) => block);
  return Object.entries(replaced).reduce((code, [text, value]) => {
    if (!code.includes(text)) throw new Error(`The README of ${name} has no ${text}.`);
    return code.replaceAll(text, value);
  }, blocks.join('\n'));
}

/** One script of a program and all that it imports, as it runs wherever JavaScript does. */
export async function bundleProgram(code: string): Promise<string> {
  const entry = '\0program.ts';
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    root: fileURLToPath(new URL('../..', import.meta.url)),
    resolve: { conditions: ['source'] },
    plugins: [
      {
        name: 'program',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? code : null),
      },
    ],
    build: { write: false, target: 'es2022', rolldownOptions: { input: entry, preserveEntrySignatures: 'strict' } },
  });
  const [chunk] = (output as Rolldown.RolldownOutput).output;
  return chunk.code;
}
