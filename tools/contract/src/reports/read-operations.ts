import {
  type JsonObject,
  listOperations,
  type OpenApiDocument,
  type OperationObject,
  resolveReference,
} from '../spec/openapi-document.ts';

/** A documented thing. */
export interface Listed {
  readonly name: string;
  readonly description: string;
}

export interface Operation {
  readonly operationId: string;
  readonly method: string;
  /** Path from the root of the server. */
  readonly path: string;
  readonly summary: string;
  /** The sentences of its description. */
  readonly statements: readonly string[];
  /** Every status and every parameter. */
  readonly listed: readonly Listed[];
}

export interface StaffContract {
  /** The sentences about all operations. */
  readonly statements: readonly string[];
  readonly operations: readonly Operation[];
  /** The sentences about bodies, by the name of the schema. */
  readonly sent: Readonly<Record<string, readonly string[]>>;
  /** The sentences about single members, by `Schema.member`. */
  readonly members: Readonly<Record<string, readonly string[]>>;
}

/** Returns the operations of the contract that have data: the login, and those on people and catalogues. */
export function readOperations(document: OpenApiDocument): StaffContract {
  const { schemas = {} } = document.components ?? {};
  const found = listOperations(document);
  const operations = found
    .filter(({ template }) => /^\/(?:login$|\$batch$|staffmember|StaffMembers|admin\/)/.test(template))
    .map(({ path, method, operation, item }): Operation => {
      const { operationId, summary = '', description } = operation;
      const responses = Object.entries(operation.responses).map(([name, response]) => ({
        name,
        description: resolveReference(document, response).description ?? '',
      }));
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((parameter) => {
        const { name, description: text = '' } = resolveReference(document, parameter);
        return { name, description: text };
      });
      return {
        ...{ operationId, summary, method: method.toUpperCase(), path },
        statements: splitStatements(description),
        listed: [...responses, ...parameters],
      };
    });
  const bodies = found.flatMap(({ operation }) => bodyOf(operation));
  const sent = [...new Set([...bodies, 'LocalDateTime'])].map((name) => [name, statementsOf(schemas[name])]);
  const members = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
    Object.entries(properties as object).map(([member, schema]) => [`${name}.${member}`, statementsOf(schema)]),
  );
  return {
    statements: splitStatements(document.info.description),
    operations,
    sent: Object.fromEntries(sent),
    members: Object.fromEntries(members),
  };
}

/** Returns the name of the schema of an operation's body, if it has one. */
function bodyOf({ requestBody }: OperationObject): string[] {
  if (requestBody === undefined || '$ref' in requestBody) return [];
  const { $ref } = requestBody.content['application/json']?.schema ?? {};
  return typeof $ref === 'string' ? [$ref.slice($ref.lastIndexOf('/') + 1)] : [];
}

function statementsOf(schema: JsonObject | undefined): readonly string[] {
  return splitStatements(schema?.description as string | undefined);
}

/** Splits prose into sentences, and sentences at semicolons. */
export function splitStatements(text = ''): string[] {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .split(/(?<=[.;]) /);
}
