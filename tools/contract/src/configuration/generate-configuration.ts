import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedBy, writeGenerated } from '../generated-file.ts';
import type { OpenApiDocument } from '../spec/openapi-document.ts';
import { bundlePath, rootFolder } from '../workspace.ts';
import { configurationFiles } from './configuration-files.ts';
import { emitCommandsDoc } from './emit-commands-doc.ts';
import { emitConfigurationDoc } from './emit-configuration-doc.ts';
import { loadProgram } from './load-program.ts';
import { toJsonSchema } from './to-json-schema.ts';

const gateway = join(rootFolder, 'apps/gateway');

/** Writes what people and editors read of the gateway's configuration and commands. */
export async function generateConfiguration(): Promise<void> {
  const document: OpenApiDocument = JSON.parse(readFileSync(bundlePath('gateway'), 'utf8'));
  const schemas = document.components?.schemas ?? {};
  const source = 'specs/gateway/schemas';
  for (const { file, schema, title } of configurationFiles) {
    const json = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $comment: generatedBy(source),
      title,
      ...toJsonSchema(schema, schemas),
    };
    writeGenerated(join(gateway, `schemas/${file}.schema.json`), `${JSON.stringify(json, null, 2)}\n`);
  }
  const page = emitConfigurationDoc({ schemas, prefix: 'ROSTERGATE_' });
  writeGenerated(join(rootFolder, 'docs/configuration.md'), `<!-- ${generatedBy(source)} -->\n${page}`);
  const commands = emitCommandsDoc(await loadProgram());
  writeGenerated(
    join(rootFolder, 'docs/commands.md'),
    `<!-- ${generatedBy('apps/gateway/src/command')} -->\n${commands}`,
  );
}
