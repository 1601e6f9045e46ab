import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';

/** Returns one script with a program and all its imports. */
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
