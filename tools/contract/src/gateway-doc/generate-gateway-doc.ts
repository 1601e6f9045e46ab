import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadProgram } from '../configuration/load-program.ts';
import { listCommands } from '../contract-doc/load-app.ts';
import { generatedBy, writeGenerated } from '../generated-file.ts';
import { loadGuarantees } from '../guarantees/collect-guarantees.ts';
import { findGaps, type GuaranteedThings, type Listed } from '../guarantees/find-gaps.ts';
import { ToolFailure } from '../tool-failure.ts';
import { bundlePath, rootFolder } from '../workspace.ts';
import { emitGatewayDoc } from './emit-gateway-doc.ts';

const testFiles = 'tools/acceptance/src/gateway/**/*.test.ts';

/** Writes docs/reports/gateway.md from the contract, the command line and the titles of the acceptance tests. */
export async function generateGatewayDoc(): Promise<void> {
  const sources = await readGatewaySources();
  const gaps = findGaps(sources);
  if (gaps.length > 0) throw new ToolFailure(`docs/reports/gateway.md cannot be written:\n  ${gaps.join('\n  ')}`);
  const header = `<!-- ${generatedBy(`specs/gateway and ${testFiles}`)} -->\n`;
  writeGenerated(join(rootFolder, 'docs/reports/gateway.md'), header + emitGatewayDoc(sources));
}

/** Everything there is, with what tests promise of it. */
export async function readGatewaySources(): Promise<GuaranteedThings> {
  const document = JSON.parse(readFileSync(bundlePath('gateway'), 'utf8')) as Document;
  const { Settings = {}, EndpointDefinition = {} } = document.components.schemas;
  const listed = {
    setting: fieldsOf({ document, object: Settings }),
    field: fieldsOf({ document, object: EndpointDefinition }),
    route: routesOf(document),
    command: listCommands(await loadProgram('gateway')),
  };
  return { listed, guarantees: loadGuarantees([testFiles], Object.keys(listed)) };
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
