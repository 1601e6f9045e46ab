import { listOperations, type OpenApiDocument } from '../spec/openapi-document.ts';

/** Returns the operations of a document, such as `GET /v2/staffmember/{staff_key}`, by operationId. */
export function readOperationsOf(document: OpenApiDocument): Map<string, string> {
  const operations = listOperations(document);
  return new Map(
    operations.map(({ operation, method, path }) => [operation.operationId, `${method.toUpperCase()} ${path}`]),
  );
}
