import { readOperationsOf } from '../../../contract/src/drift/read-operations-of.ts';
import type { OpenApiDocument } from '../../../contract/src/spec/openapi-document.ts';

/** Operations such as `GET /v2/staffmember/{staff_key}`, each with a value to compare. */
export type Operations = ReadonlyMap<string, string>;

/** Returns the operations of a document. */
export function operationsOf(document: unknown): Operations {
  return new Map([...readOperationsOf(document as OpenApiDocument).values()].map((name) => [name, 'there']));
}

/** Returns the named operations that a running server routes; sends OPTIONS to each path. */
export async function probeOperations(baseUrl: string, named: Iterable<string>): Promise<Operations> {
  const templates = new Set([...named].map((name) => name.slice(name.indexOf(' ') + 1)));
  const found = await Promise.all(
    [...templates].map(async (template) => {
      const response = await fetch(baseUrl + template.replaceAll(/\{[^}]+\}/g, 'x'), { method: 'OPTIONS' });
      await response.text();
      // Any other status means that the path does not exist.
      const allowed = response.status === 204 ? (response.headers.get('Allow') ?? '').split(', ') : [];
      return allowed
        .filter((method) => method !== 'HEAD' && method !== 'OPTIONS')
        .map((method) => [`${method} ${template}`, 'there'] as const);
    }),
  );
  return new Map(found.flat());
}
