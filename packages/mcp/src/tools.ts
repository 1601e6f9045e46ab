import {
  httpMethods,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type PathItem,
  type RequestBodyObject,
  resolveReference,
} from '@rostergate/server';
import { createSchemaTranslator, type Schema } from './tool-schema.ts';

/** An operation that becomes a tool, as in the configuration. */
export interface ToolChoice {
  readonly operation_id: string;
  /** The operationId by default. */
  readonly name?: string | null | undefined;
  /** The texts of the contract by default. */
  readonly description?: string | null | undefined;
  /** Whether a call changes nothing; by default that of GET. */
  readonly read_only?: boolean | null | undefined;
}

export interface ToolFault {
  /** The place in the list of choices. */
  readonly path: readonly (string | number)[];
  readonly detail: string;
}

/** The arguments of a call cannot be sent. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
}

export interface ToolRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export interface Tool {
  readonly operationId: string;
  /** The entry of `tools/list`. */
  readonly definition: {
    readonly name: string;
    readonly title: string;
    readonly description: string;
    readonly inputSchema: Schema & { readonly type: 'object' };
    readonly annotations: { readonly readOnlyHint: boolean; readonly destructiveHint: boolean };
  };
  /** Returns the request for the arguments of a call. @throws ArgumentError */
  readonly requestOf: (args: Readonly<Record<string, unknown>>) => ToolRequest;
}

export interface Tools {
  readonly tools: readonly Tool[];
  readonly faults: readonly ToolFault[];
}

/** The characters and length that clients accept in the name of a tool, and models in that of an argument. */
const namePattern = /^[A-Za-z0-9_-]{1,64}$/;

/** Returns the tools for the chosen operations of a contract, and what is wrong with the choices. */
export function createTools(document: OpenApiDocument, choices: readonly ToolChoice[]): Tools {
  const operations = operationsOf(document);
  const tools: Tool[] = [];
  const faults: ToolFault[] = [];
  const names = new Set<string>();
  for (const [i, choice] of choices.entries()) {
    const report = (field: string, detail: string) => faults.push({ path: [i, field], detail });
    const found = operations.get(choice.operation_id);
    if (found === undefined) {
      report('operation_id', `names no operation of this configuration; /openapi.json lists them`);
      continue;
    }
    const name = choice.name ?? choice.operation_id;
    if (!namePattern.test(name)) {
      report(
        choice.name == null ? 'operation_id' : 'name',
        `makes the tool name "${name}": set name to 1 to 64 letters, digits, _ and -`,
      );
    } else if (names.has(name))
      report(choice.name == null ? 'operation_id' : 'name', `repeats the tool name "${name}"`);
    names.add(name);
    const reason = whyUnsuitable(document, found.operation);
    if (reason === undefined) tools.push(createTool(document, found, choice, name));
    else report('operation_id', reason);
  }
  return { tools, faults };
}

interface FoundOperation {
  /** With the base path of the server. */
  readonly path: string;
  readonly method: string;
  readonly item: PathItem;
  readonly operation: OperationObject;
}

function operationsOf({ paths, servers }: OpenApiDocument): ReadonlyMap<string, FoundOperation> {
  const found = new Map<string, FoundOperation>();
  for (const [template, item] of Object.entries(paths)) {
    const path = basePathOf(item.servers ?? servers) + template;
    for (const method of httpMethods) {
      const operation = item[method];
      if (operation?.operationId !== undefined) found.set(operation.operationId, { path, method, item, operation });
    }
  }
  return found;
}

function basePathOf(servers: OpenApiDocument['servers']): string {
  return new URL(servers?.[0]?.url ?? '/', 'http://localhost').pathname.replace(/\/$/, '');
}

const jsonType = 'application/json';

function bodyOf(document: OpenApiDocument, { requestBody }: OperationObject): RequestBodyObject | undefined {
  return requestBody && resolveReference<RequestBodyObject>(document, requestBody);
}

/** An operation without a contract of its own declares any media type. */
function jsonContentOf({ content }: RequestBodyObject): { readonly schema?: unknown } | undefined {
  return content[jsonType] ?? content['*/*'];
}

function whyUnsuitable(document: OpenApiDocument, operation: OperationObject): string | undefined {
  if (operation['x-websocket'] === true) return 'opens WebSockets, which tools cannot use';
  const body = bodyOf(document, operation);
  if (body !== undefined && jsonContentOf(body) === undefined) return 'takes a body that is not JSON';
  return undefined;
}

/** A property of a tool's input, and the parameter that it sets; the body without one. */
interface Input {
  readonly name: string;
  readonly parameter: ParameterObject | undefined;
}

function createTool(
  document: OpenApiDocument,
  { path, method, item, operation }: FoundOperation,
  choice: ToolChoice,
  name: string,
): Tool {
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((one) =>
    resolveReference<ParameterObject>(document, one),
  );
  const body = bodyOf(document, operation);
  const inputs = nameInputs(parameters, body !== undefined);
  const { translate, definitions } = createSchemaTranslator(document.components?.schemas ?? {});
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  for (const { name: property, parameter } of inputs) {
    const schema = translate(parameter === undefined ? body && jsonContentOf(body)?.schema : parameter.schema);
    const description = parameter?.description ?? (schema.description as string | undefined);
    properties[property] = { ...schema, ...(description === undefined ? {} : { description }) };
    if (parameter === undefined ? body?.required === true : parameter.required === true) required.push(property);
  }
  const isReadOnly = choice.read_only ?? method === 'get';
  const { summary = '', description = '' } = operation;
  return {
    operationId: choice.operation_id,
    definition: {
      name,
      title: summary || name,
      description:
        choice.description ?? [...new Set([summary, description])].filter((text) => text !== '').join('\n\n'),
      inputSchema: {
        type: 'object',
        properties,
        ...(required.length === 0 ? {} : { required }),
        additionalProperties: false,
        ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions }),
      },
      annotations: { readOnlyHint: isReadOnly, destructiveHint: !isReadOnly },
    },
    requestOf: (args) => requestOf(method.toUpperCase(), path, inputs, args),
  };
}

/** Names the inputs of a tool: as in the contract where models accept that, so `$filter` becomes `filter`. */
function nameInputs(parameters: readonly ParameterObject[], hasBody: boolean): Input[] {
  const taken = new Set<string>();
  const nameOf = (wanted: string) => {
    const base =
      wanted
        .replace(/[^A-Za-z0-9_-]+/g, '_')
        .replace(/^_+(?=.)/, '')
        .slice(0, 60) || 'value';
    let name = base;
    for (let n = 2; taken.has(name); n++) name = `${base}_${n}`;
    taken.add(name);
    return name;
  };
  const inputs: Input[] = parameters.map((parameter) => ({ name: nameOf(parameter.name), parameter }));
  return hasBody ? [...inputs, { name: nameOf('body'), parameter: undefined }] : inputs;
}

function requestOf(
  method: string,
  template: string,
  inputs: readonly Input[],
  args: Readonly<Record<string, unknown>>,
): ToolRequest {
  const headers: Record<string, string> = {};
  const query: string[] = [];
  const cookies: string[] = [];
  let path = template;
  let body: string | undefined;
  const known = new Set(inputs.map(({ name }) => name));
  const unknown = Object.keys(args).filter((name) => !known.has(name));
  if (unknown.length > 0) throw new ArgumentError(`There is no argument ${unknown.slice(0, 5).join(', ')}.`);
  for (const { name, parameter } of inputs) {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    if (value === undefined || (value === null && parameter !== undefined)) {
      if (parameter?.in === 'path') throw new ArgumentError(`The argument ${name} is required.`);
      continue;
    }
    if (parameter === undefined) {
      body = JSON.stringify(value);
      headers['Content-Type'] = jsonType;
    } else if (parameter.in === 'path') path = path.replace(`{${parameter.name}}`, () => inPath(parameter, value));
    else if (parameter.in === 'query') query.push(...inQuery(parameter, value));
    else if (parameter.in === 'header') headers[parameter.name] = inField(name, value);
    else cookies.push(`${parameter.name}=${encodeURIComponent(textOf(value))}`);
  }
  if (cookies.length > 0) headers.Cookie = cookies.join('; ');
  return { method, url: query.length === 0 ? path : `${path}?${query.join('&')}`, headers, body };
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A parameter of several segments keeps the slashes between them. */
function inPath(parameter: ParameterObject, value: unknown): string {
  const text = Array.isArray(value) ? value.map(textOf).join(',') : textOf(value);
  const segments = parameter['x-multi-segment'] === true ? text.split('/') : [text];
  return segments.map(encodeURIComponent).join('/');
}

/** Writes a query parameter in the style `form`, the default of OpenAPI. */
function inQuery(parameter: ParameterObject, value: unknown): string[] {
  const name = encodeURIComponent(parameter.name);
  if (!Array.isArray(value)) return [`${name}=${encodeURIComponent(textOf(value))}`];
  const texts = value.map((one) => encodeURIComponent(textOf(one)));
  return parameter.explode === false ? [`${name}=${texts.join(',')}`] : texts.map((text) => `${name}=${text}`);
}

function inField(name: string, value: unknown): string {
  const text = Array.isArray(value) ? value.map(textOf).join(',') : textOf(value);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those that a field cannot contain.
  if (/[\x00-\x08\x0a-\x1f\x7f]|[^\x00-\xff]/.test(text)) {
    throw new ArgumentError(`The argument ${name} contains characters that a header field cannot.`);
  }
  return text;
}
