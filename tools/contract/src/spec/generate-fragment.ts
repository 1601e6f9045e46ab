import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '@rostergate/config';
import { type Endpoint, endpointsToOpenApi, type Service } from '@rostergate/endpoints';
import { mergeDocuments } from '@rostergate/server';
import { stringify } from 'yaml';
import { generatedBy, writeGenerated } from '../generated-file.ts';
import { bundlePath, fragmentFile, rootFolder, specFolder, ToolFailure } from '../workspace.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import { lintDocument } from './redocly.ts';

const source = 'apps/gateway/config';

/**
 * Writes the operations that the shipped endpoints.json adds to the gateway's contract. The gateway uses the same
 * function.
 */
export async function generateFragment(): Promise<void> {
  const fragment = endpointsToOpenApi(await loadEndpoints());
  // The rules of the hand-written contract also apply to configured endpoints.
  const builtIn: OpenApiDocument = JSON.parse(readFileSync(bundlePath('gateway'), 'utf8'));
  await lintDocument(mergeDocuments(builtIn, fragment));
  const text = stringify(fragment, { version: '1.1', lineWidth: 120, aliasDuplicateObjects: false });
  writeGenerated(
    join(specFolder('gateway'), 'gen', fragmentFile),
    `# ${generatedBy(`${source}/endpoints.json`)}\n${text}`,
  );
}

/** Loads the endpoints like the gateway, including custom services. */
async function loadEndpoints(): Promise<readonly Endpoint[]> {
  const { loadConfiguration }: { loadConfiguration: LoadConfiguration } = await import(
    join(rootFolder, 'apps/gateway/src/configuration-reader.ts')
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
