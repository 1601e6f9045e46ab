import { readOperationsOf } from '../../../contract/src/drift/read-operations-of.ts';
import type { OpenApiDocument } from '../../../contract/src/spec/openapi-document.ts';

/** Operations as `GET /v2/staffmember/{staff_key}`, each with what is said of it. */
export type Operations = ReadonlyMap<string, string>;

/** The operations of a document. */
export function operationsOf(document: unknown): Operations {
  return new Map([...readOperationsOf(document as OpenApiDocument).values()].map((name) => [name, 'there']));
}

/** Those that the route table of a running server takes, of all that anybody names: it is asked path by path. */
export async function probeOperations(baseUrl: string, named: Iterable<string>): Promise<Operations> {
  const templates = new Set([...named].map((name) => name.slice(name.indexOf(' ') + 1)));
  const found = await Promise.all(
    [...templates].map(async (template) => {
      const answer = await fetch(baseUrl + template.replaceAll(/\{[^}]+\}/g, 'x'), { method: 'OPTIONS' });
      await answer.text();
      // Any other status says that there is no such path.
      const allowed = answer.status === 204 ? (answer.headers.get('Allow') ?? '').split(', ') : [];
      return allowed
        .filter((method) => method !== 'HEAD' && method !== 'OPTIONS')
        .map((method) => [`${method} ${template}`, 'there'] as const);
    }),
  );
  return new Map(found.flat());
}
