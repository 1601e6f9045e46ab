import type { Listed } from '../guarantees/find-gaps.ts';

export interface Operation {
  readonly operationId: string;
  readonly method: string;
  /** Path from the root of the server. */
  readonly path: string;
  readonly summary: string;
  /** The sentences of its description. */
  readonly lines: readonly string[];
  /** Every status and every parameter. */
  readonly listed: readonly Listed[];
}

export interface StaffContract {
  /** The sentences about all operations. */
  readonly lines: readonly string[];
  readonly operations: readonly Operation[];
  /** The sentences about bodies, by the name of the schema. */
  readonly sent: Readonly<Record<string, readonly string[]>>;
  /** The sentences about single members, by `Schema.member`. */
  readonly members: Readonly<Record<string, readonly string[]>>;
}

/** Returns the operations of the contract that have data: the login and those on people. */
export function readOperations(document: Document): StaffContract {
  const { responses: sharedResponses = {}, parameters: sharedParameters = {} } = document.components;
  const base = (document.servers[0]?.url ?? '').replace(/\/$/, '');
  const operations = Object.entries(document.paths)
    .filter(([path]) => path === '/login' || path.startsWith('/staffmember'))
    .flatMap(([path, item]) =>
      methods.flatMap((method) => {
        const operation = item[method];
        if (operation === undefined) return [];
        const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((parameter) =>
          resolve(parameter, sharedParameters),
        );
        const responses = Object.entries(operation.responses).map(([name, response]) => ({
          name,
          description: resolve(response, sharedResponses).description,
        }));
        const { operationId, summary, description } = operation;
        return [
          {
            ...{ operationId, summary, method: method.toUpperCase(), path: base + path },
            lines: splitLines(description),
            listed: [...responses, ...parameters.map(({ name = '', description }) => ({ name, description }))],
          },
        ];
      }),
    );
  const { schemas } = document.components;
  const bodies = Object.values(document.paths).flatMap((item) => methods.flatMap((method) => bodyOf(item[method])));
  const sent = [...new Set([...bodies, 'LocalDateTime'])].map((name) => [name, linesOf(schemas[name])]);
  const members = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
    Object.entries(properties).map(([member, schema]) => [`${name}.${member}`, linesOf(schema)]),
  );
  return {
    lines: splitLines(document.info.description),
    operations,
    sent: Object.fromEntries(sent),
    members: Object.fromEntries(members),
  };
}

/** Returns the name of the schema of an operation's body, if it has one. */
function bodyOf(operation: OperationObject | undefined): string[] {
  const $ref = operation?.requestBody?.content['application/json']?.schema.$ref;
  return $ref === undefined ? [] : [$ref.slice($ref.lastIndexOf('/') + 1)];
}

function linesOf(schema: SchemaObject | undefined): readonly string[] {
  return splitLines(schema?.description ?? '');
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Splits prose into sentences, and sentences at semicolons. */
export function splitLines(text: string): string[] {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .split(/(?<=[.;]) /);
}

function resolve<T extends Referable>(given: T, shared: Readonly<Record<string, T>>): T {
  if (given.$ref === undefined) return given;
  const found = shared[given.$ref.slice(given.$ref.lastIndexOf('/') + 1)];
  if (found === undefined) throw new Error(`The contract has no ${given.$ref}.`);
  return found;
}

interface Referable {
  readonly $ref?: string;
  readonly description: string;
}

interface Parameter extends Referable {
  readonly name?: string;
}

interface PathItem extends Partial<Record<(typeof methods)[number], OperationObject>> {
  readonly parameters?: readonly Parameter[];
}

interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, Referable>>;
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>>;
  };
}

interface SchemaObject {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SchemaObject>>;
}

/** The part of the bundled contract that is used here. */
export interface Document {
  readonly info: { readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, SchemaObject>>;
    readonly responses?: Readonly<Record<string, Referable>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
  };
}
