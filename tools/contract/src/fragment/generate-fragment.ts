import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Endpoint, endpointsToOpenApi, mergeDocuments, type Service } from '@rostergate/endpoints';
import { ConfigError } from '@rostergate/runtime/config';
import { stringify } from 'yaml';
import { generatedBy, writeGenerated } from '../generated-file.ts';
import type { OpenApiDocument } from '../spec/openapi-document.ts';
import { lintDocument } from '../spec/redocly.ts';
import { ToolFailure } from '../tool-failure.ts';
import { bundlePath, rootFolder, specFolder } from '../workspace.ts';
import { fragmentFile } from './fragment-file.ts';

const source = 'apps/gateway/config';

/** What the shipped endpoints.json adds to the gateway's contract, by the same function as the running gateway's. */
export async function generateFragment(): Promise<void> {
  const fragment = endpointsToOpenApi(await loadEndpoints());
  // What is served is held to the rules that the hand-written part is held to.
  const builtIn: OpenApiDocument = JSON.parse(readFileSync(bundlePath('gateway'), 'utf8'));
  await lintDocument(mergeDocuments(builtIn, fragment));
  const text = stringify(fragment, { version: '1.1', lineWidth: 120, aliasDuplicateObjects: false });
  writeGenerated(
    join(specFolder('gateway'), 'gen', fragmentFile),
    `# ${generatedBy(`${source}/endpoints.json`)}\n${text}`,
  );
}

/** Read as the gateway reads them, services of one's own included. */
async function loadEndpoints(): Promise<readonly Endpoint[]> {
  const { loadConfiguration }: { loadConfiguration: LoadConfiguration } = await import(
    join(rootFolder, 'apps/gateway/src/configuration.ts')
  );
  const { describeBuiltInServices }: { describeBuiltInServices: () => readonly Service[] } = await import(
    join(rootFolder, 'apps/gateway/src/services/index.ts')
  );
  try {
    const { endpoints } = await loadConfiguration({
      settingsFile: join(rootFolder, source, 'settings.json'),
      env: {},
      createServices: describeBuiltInServices,
    });
    return endpoints;
  } catch (error) {
    if (error instanceof ConfigError) throw new ToolFailure(error.message);
    throw error;
  }
}

type LoadConfiguration = (options: {
  readonly settingsFile: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly createServices: () => readonly Service[];
}) => Promise<{ readonly endpoints: readonly Endpoint[] }>;
