import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { loadProgram } from '../configuration/load-program.ts';
import { generatedBy, writeGenerated } from '../generated-file.ts';
import { ToolFailure } from '../tool-failure.ts';
import { bundlePath, rootFolder } from '../workspace.ts';
import { collectGuarantees } from './collect-guarantees.ts';
import { emitGatewayDoc, findGaps, type GatewayDocSources, type Listed } from './emit-gateway-doc.ts';

const testFiles = 'tools/acceptance/src/gateway/**/*.test.ts';

/** Writes docs/gateway.md from the contract, the command line and the titles of the acceptance tests. */
export async function generateGatewayDoc(): Promise<void> {
  const sources = await readSources();
  const gaps = findGaps(sources);
  if (gaps.length > 0) throw new ToolFailure(`docs/gateway.md cannot be written:\n  ${gaps.join('\n  ')}`);
  const header = `<!-- ${generatedBy(`specs/gateway and ${testFiles}`)} -->\n`;
  writeGenerated(join(rootFolder, 'docs/gateway.md'), header + emitGatewayDoc(sources));
}

async function readSources(): Promise<GatewayDocSources> {
  const document = JSON.parse(readFileSync(bundlePath('gateway'), 'utf8')) as Document;
  const { Settings = {}, EndpointDefinition = {} } = document.components.schemas;
  const files = globSync(testFiles, { cwd: rootFolder }).sort();
  return {
    listed: {
      setting: fieldsOf({ document, object: Settings }),
      field: fieldsOf({ document, object: EndpointDefinition }),
      route: routesOf(document),
      command: commandsOf(await loadProgram()),
    },
    guarantees: files.flatMap((file) => collectGuarantees(file, readFileSync(join(rootFolder, file), 'utf8'))),
  };
}

function fieldsOf(schema: Schema): Listed[] {
  const { schemas } = schema.document.components;
  return Object.entries(schema.object.properties ?? {}).map(([name, field]) => {
    const described = field.$ref === undefined ? field : schemas[field.$ref.replace('#/components/schemas/', '')];
    return { name, description: described?.description ?? '' };
  });
}

function routesOf({ paths }: Document): Listed[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { operationId, summary = '' }]) =>
      operationId === undefined ? [] : [{ name: `${method.toUpperCase()} ${path}`, description: `${summary}.` }],
    ),
  );
}

/** Commands that do something, those within a group by both names. */
function commandsOf(parent: Command, before = ''): Listed[] {
  return parent.commands.flatMap((command) => {
    const name = `${before}${command.name()}`;
    if (command.commands.length > 0) return commandsOf(command, `${name} `);
    return [{ name, description: command.description() }];
  });
}

interface Schema {
  readonly document: Document;
  readonly object: SchemaObject;
}

interface SchemaObject {
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SchemaObject>>;
}

interface Operation {
  /** Undefined for what is beside the operations of a path. */
  readonly operationId?: string;
  readonly summary?: string;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, SchemaObject>> };
}
