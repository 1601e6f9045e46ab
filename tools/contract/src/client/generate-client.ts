import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { problems } from '@rostergate/server/problem';
import { generatedBy, writeGeneratedFolder } from '../generated-file.ts';
import { bundlePath, generatedFolder, toolFolder } from '../workspace.ts';
import { describeOperations } from './describe-operations.ts';
import { emitClient } from './emit-client.ts';
import { emitProblemKinds, emitProblemReader } from './emit-problem-kinds.ts';

/** Files that are the same in every client, so that clients need no shared package. */
const templates = ['api-problem', 'etag-of', 'read-problem', 'serialize', 'transport', 'within-time'];

/** Writes the generated part of `packages/<name>-client` from the bundled document and the error table. */
export async function generateClient(name: string): Promise<void> {
  const bundle = `specs/${name}/gen/openapi.json`;
  const files: Record<string, string> = {};
  const operations = describeOperations(JSON.parse(readFileSync(bundlePath(name), 'utf8')));
  add('client', bundle, emitClient(name, operations));
  const table = 'packages/server/src/problem/problems.ts';
  for (const template of templates) {
    const source = `templates/client/${template}.ts`;
    const text = readFileSync(join(toolFolder, source), 'utf8').replaceAll(/(from '\.\/[a-z-]+)\.ts'/g, "$1.gen.ts'");
    const path = `tools/contract/${source}`;
    if (template === 'api-problem') add(template, `${path} and ${table}`, text + emitProblemKinds(problems));
    else if (template === 'read-problem') add(template, `${path} and ${table}`, emitProblemReader(text, problems));
    else add(template, path, text);
  }
  writeGeneratedFolder(generatedFolder(`${name}-client`), files);

  function add(file: string, source: string, text: string): void {
    files[`${file}.gen.ts`] = `// ${generatedBy(source)}\n${text}`;
  }
}
