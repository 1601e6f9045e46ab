import type { OpenApiDocument, OperationObject } from '@rostergate/runtime/contract';
import { createShape, type SchemaObject, type Shape } from './response-shapes.ts';

/** What the contract answers to an operation that succeeds. */
export interface AnswerShape {
  /** Whether it is an array of what `shape` is for, or an envelope around one. */
  readonly isList: boolean;
  readonly shape: Shape;
}

/** The answers of these operations, by operationId. */
export function createAnswerShapes(
  document: OpenApiDocument,
  operationIds: readonly string[],
): ReadonlyMap<string, AnswerShape> {
  const operations = Object.values(document.paths).flatMap((item) =>
    Object.values(item).filter((value): value is OperationObject => operationIds.includes(value?.operationId)),
  );
  return new Map(
    operations.map((operation) => {
      const { type, items = {}, ...schema } = successOf(operation);
      const isList = type === 'array';
      const one = isList ? items : { ...schema, ...(type !== undefined && { type }) };
      return [operation.operationId as string, { isList, shape: createShape(document, one) }];
    }),
  );
}

interface ResponseObject {
  readonly content?: Readonly<Record<string, { readonly schema?: SchemaObject }>>;
}

function successOf({ operationId, responses = {} }: OperationObject): SchemaObject {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const schema = (success as ResponseObject | undefined)?.content?.['application/json']?.schema;
  if (schema === undefined) throw new Error(`The contract says nothing of what ${operationId} answers.`);
  return schema;
}
