import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listCommands, loadProgram } from '../configuration/load-app.ts';
import { generatedBy, writeGenerated } from '../generated-file.ts';
import { type JsonObject, listOperations, type OpenApiDocument, resolveReference } from '../spec/openapi-document.ts';
import { bundlePath, rootFolder, ToolFailure } from '../workspace.ts';
import { findGaps, type GuaranteedThings, loadGuarantees } from './guarantees.ts';
import type { Listed } from './read-operations.ts';
import { emitGuarantees } from './tables.ts';

const testFiles = 'tools/acceptance/src/gateway/**/*.test.ts';

/** Writes docs/reports/gateway.md from the contract, the command line and the titles of the acceptance tests. */
export async function generateGatewayDoc(): Promise<void> {
  const sources = await readGatewaySources();
  const gaps = findGaps(sources);
  if (gaps.length > 0) throw new ToolFailure(`docs/reports/gateway.md cannot be written:\n  ${gaps.join('\n  ')}`);
  const header = `<!-- ${generatedBy(`specs/gateway and ${testFiles}`)} -->\n`;
  writeGenerated(join(rootFolder, 'docs/reports/gateway.md'), header + emitGatewayDoc(sources));
}

/** Returns the documented things of the gateway and their tests. */
export async function readGatewaySources(): Promise<GuaranteedThings> {
  const document: OpenApiDocument = JSON.parse(readFileSync(bundlePath('gateway'), 'utf8'));
  const listed = {
    setting: fieldsOf(document, 'Settings'),
    field: fieldsOf(document, 'EndpointDefinition'),
    route: routesOf(document),
    operation: operationsOf(JSON.parse(readFileSync(bundlePath('admin'), 'utf8'))),
    command: listCommands(await loadProgram('gateway')),
  };
  return { listed, guarantees: loadGuarantees([testFiles], Object.keys(listed)) };
}

function fieldsOf(document: OpenApiDocument, schema: string): Listed[] {
  const { properties = {} } = document.components?.schemas?.[schema] ?? {};
  return Object.entries(properties as Record<string, JsonObject>).map(([name, field]) => {
    const { description = '' } = resolveReference(document, field);
    return { name, description: String(description) };
  });
}

function routesOf(document: OpenApiDocument): Listed[] {
  return listOperations(document).map(({ method, path, operation: { summary } }) => {
    return { name: `${method.toUpperCase()} ${path}`, description: `${summary}.` };
  });
}

function operationsOf(document: OpenApiDocument): Listed[] {
  return listOperations(document).map(({ operation: { operationId, summary } }) => {
    return { name: operationId, description: `${summary}.` };
  });
}

/** Returns the report of the gateway: each setting, field, route, operation and command with the tests that check it. */
export function emitGatewayDoc(things: GuaranteedThings): string {
  return `# Test report: the gateway

Which acceptance tests check each setting, field, route, operation and command against a running gateway.
[Configuration](../configuration.md) has types, defaults and bounds, [commands](../commands.md) options and exit codes, and
[the README of the gateway](../../apps/gateway/README.md) describes the server.

## Settings

${emitGuarantees(things, 'setting')}

## Fields of an endpoint

${emitGuarantees(things, 'field')}

## Routes

The routes that exist in addition to the configured endpoints.

${emitGuarantees(things, 'route')}

## Operations of the admin API

${emitGuarantees(things, 'operation')}

## Commands

${emitGuarantees(things, 'command')}
`;
}
