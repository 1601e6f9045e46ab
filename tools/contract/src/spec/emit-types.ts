import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { createOneWayDocument } from './one-way-document.ts';
import type { OpenApiDocument } from './openapi-document.ts';

/** `paths`, `operations` and `components` by openapi-typescript, then every schema by its plain name. */
export async function emitTypes(document: OpenApiDocument): Promise<string> {
  const nodes = await openapiTS(createOneWayDocument(document) as unknown as OpenAPI3, {
    // What is required says `required`, in requests too, where a default is the server's to fill in.
    defaultNonNullable: false,
    silent: true,
  });
  const schemas = Object.entries(document.components?.schemas ?? {}).map(([name, { description }]) => {
    const says = typeof description === 'string' ? `/** ${firstLine(description)} */\n` : '';
    return `${says}export type ${name} = components['schemas']['${name}'];\n`;
  });
  return astToString(nodes) + schemas.join('');
}

function firstLine(description: string): string {
  return (description.split('\n')[0] ?? '').replaceAll('*/', '*\\/').trim();
}
