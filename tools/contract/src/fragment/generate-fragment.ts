import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpointsToOpenApi, mergeDocuments, parseEndpoints, type Service } from '@rostergate/endpoints';
import { stringify } from 'yaml';
import { generatedBy, writeGenerated } from '../generated-file.ts';
import type { OpenApiDocument } from '../spec/openapi-document.ts';
import { lintDocument } from '../spec/redocly.ts';
import { ToolFailure } from '../tool-failure.ts';
import { bundlePath, rootFolder, specFolder } from '../workspace.ts';
import { fragmentFile } from './fragment-file.ts';

const source = 'apps/gateway/config/endpoints.json';

/** What the shipped endpoints.json adds to the gateway's contract, by the same function as the running gateway's. */
export async function generateFragment(): Promise<void> {
  const { describeBuiltInServices }: { describeBuiltInServices: () => readonly Service[] } = await import(
    join(rootFolder, 'apps/gateway/src/services/index.ts')
  );
  const { endpoints, faults } = parseEndpoints(
    JSON.parse(readFileSync(join(rootFolder, source), 'utf8')),
    describeBuiltInServices(),
  );
  if (faults.length > 0) {
    throw new ToolFailure(faults.map(({ pointer, detail }) => `${source}#${pointer}: ${detail}`).join('\n'));
  }
  const fragment = endpointsToOpenApi(endpoints);
  // What is served is held to the rules that the hand-written part is held to.
  const builtIn: OpenApiDocument = JSON.parse(readFileSync(bundlePath('gateway'), 'utf8'));
  await lintDocument(mergeDocuments(builtIn, fragment));
  const text = stringify(fragment, { version: '1.1', lineWidth: 120, aliasDuplicateObjects: false });
  writeGenerated(join(specFolder('gateway'), 'gen', fragmentFile), `# ${generatedBy(source)}\n${text}`);
}
