import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { generatedBy, writeGeneratedFolder } from '../generated-file.ts';
import { bundlePath, generatedFolder, ToolFailure, toolFolder } from '../workspace.ts';
import { findJava, runGenerator } from './openapi-generator.ts';

const files = ['operations.gen.ts', 'router.gen.ts'];

/** Writes the stubs of `packages/<name>-server` with openapi-generator and the templates of this package. */
export async function generateServer(name: string): Promise<void> {
  const env = await findJava(process.env);
  // The wrapper passes its arguments to a shell, so they are in a file with a simple relative path.
  const run = `.openapi-generator/${name}-server`;
  const folder = join(toolFolder, run);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(join(folder, 'config.json'), JSON.stringify(createConfig(name, join(folder, 'output'))));
    await runGenerator(['-c', `${run}/config.json`], env);
    const written = Object.fromEntries(files.map((file) => [file, loadOutput(join(folder, 'output', file), file)]));
    writeGeneratedFolder(generatedFolder(`${name}-server`), written);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function createConfig(name: string, outputDir: string): unknown {
  const templateDir = join(toolFolder, 'templates/server');
  return {
    ...parse(readFileSync(join(templateDir, 'server.yaml'), 'utf8')),
    inputSpec: bundlePath(name),
    templateDir,
    outputDir,
    additionalProperties: {
      contractName: name.charAt(0).toUpperCase() + name.slice(1),
      specPackage: `@rostergate/${name}-spec`,
      generatedBy: generatedBy(`specs/${name}/gen/openapi.json`),
    },
  };
}

/** Returns a generated file. Checks that it exists, because the generator ignores errors in templates. */
function loadOutput(path: string, file: string): string {
  try {
    const text = readFileSync(path, 'utf8');
    if (text.startsWith('// Written by')) return text;
  } catch {
    // A missing file is reported like an empty file.
  }
  throw new ToolFailure(`The generator did not write ${file}: see tools/contract/templates/server.`);
}
