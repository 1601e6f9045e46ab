import { httpMethods, type OpenApiDocument } from '../spec/openapi-document.ts';

/** Returns the operations of a document, such as `GET /v2/staffmember/{staff_key}`, by operationId. */
export function readOperationsOf(document: OpenApiDocument): Map<string, string> {
  const operations = new Map<string, string>();
  for (const [template, item] of Object.entries(document.paths)) {
    const [server] = item.servers ?? document.servers ?? [];
    const base = new URL(server?.url ?? '/', 'http://localhost').pathname.replace(/\/$/, '');
    for (const method of httpMethods) {
      const operation = item[method];
      if (operation !== undefined) operations.set(operation.operationId, `${method.toUpperCase()} ${base}${template}`);
    }
  }
  return operations;
}
