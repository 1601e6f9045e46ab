import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedBy, writeGenerated } from '../generated-file.ts';
import type { OpenApiDocument } from '../spec/openapi-document.ts';
import { bundlePath, rootFolder } from '../workspace.ts';
import { emitCommandsDoc } from './emit-commands-doc.ts';
import { emitConfigurationDoc } from './emit-configuration-doc.ts';
import { emitProxyConfiguration, emitSchedulingConfiguration } from './emit-server-settings.ts';
import {
  type AppName,
  appNames,
  loadProgram,
  loadProxySchemas,
  loadSettingsSchema,
  type ProxySchemas,
  withoutMarks,
} from './load-app.ts';
import { toJsonSchema } from './to-json-schema.ts';

const gateway = join(rootFolder, 'apps/gateway');

/** Writes the published schemas of the configuration files, docs/configuration.md and docs/commands.md. */
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
  const proxy = await loadProxySchemas();
  writeProxySchemas(proxy);
  const page = [
    emitConfigurationDoc({ schemas, prefix: 'ROSTERGATE_' }),
    emitProxyConfiguration(proxy),
    emitSchedulingConfiguration(await loadSettingsSchema('scheduling')),
  ].join('\n');
  const sources = `${source}, ${proxySource} and apps/scheduling/src`;
  writeGenerated(join(rootFolder, 'docs/configuration.md'), `<!-- ${generatedBy(sources)} -->\n${page}`);
  const programs = await Promise.all(
    appNames.map(async (app) => ({ program: await loadProgram(app), settingsLink: settingsLinks[app] })),
  );
  writeGenerated(
    join(rootFolder, 'docs/commands.md'),
    `<!-- ${generatedBy('apps/*/src/command')} -->\n${emitCommandsDoc(programs)}`,
  );
}

const settingsLinks: Readonly<Record<AppName, string>> = {
  gateway: '[settings.json](configuration.md#settingsjson)',
  scheduling: '[scheduling.json](configuration.md#schedulingjson)',
  'staff-proxy': '[staff-proxy.json](configuration.md#staff-proxyjson)',
};

const proxySource = 'apps/staff-proxy/src';

function writeProxySchemas({ settings, keysFile }: ProxySchemas): void {
  const files = { 'staff-proxy': settings, 'proxy-keys': keysFile };
  for (const [file, schema] of Object.entries(files)) {
    const json = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $comment: generatedBy(proxySource),
      title: `${file}.json of the staff proxy`,
      ...(withoutMarks(schema) as object),
    };
    const path = join(rootFolder, `apps/staff-proxy/schemas/${file}.schema.json`);
    writeGenerated(path, `${JSON.stringify(json, null, 2)}\n`);
  }
}

/** A file of the configuration, with its schema in the gateway's contract. */
interface ConfigurationFile {
  readonly file: string;
  readonly schema: string;
  /** The title that editors show. */
  readonly title: string;
}

const configurationFiles: readonly ConfigurationFile[] = [
  { file: 'settings', schema: 'Settings', title: 'settings.json of Rostergate' },
  { file: 'endpoints', schema: 'EndpointsFile', title: 'endpoints.json of Rostergate' },
  { file: 'keys', schema: 'KeysFile', title: 'keys.json of Rostergate' },
];
