import {
  createDeclaredPaths,
  type OpenApiDocument,
  type ParameterObject,
  type RequestBodyObject,
  type Route,
  toFiniteJson,
} from '@rostergate/server';
import { didYouMean } from '@rostergate/server/problem';
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
  /** Values of arguments that a call leaves out. */
  readonly defaults?: Arguments | null | undefined;
}

/** The arguments of a call, by name. */
export type Arguments = Readonly<Record<string, unknown>>;

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
  readonly requestOf: (args: Arguments) => ToolRequest;
}

export interface Tools {
  readonly tools: readonly Tool[];
  readonly faults: readonly ToolFault[];
}

/** The characters and length that clients accept in the name of a tool, and models in that of an argument. */
const namePattern = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Returns the tools for the chosen operations of a contract, and what is wrong with the choices.
 * @param routes those of the document, where they have been read already
 */
export function createTools(
  document: OpenApiDocument,
  choices: readonly ToolChoice[],
  routes: Iterable<Route> = createDeclaredPaths(document).flatMap((path) => path.routes),
): Tools {
  const chosen = new Set(choices.map((choice) => choice.operation_id));
  const byId = new Map<string, Route>();
  for (const route of routes) if (chosen.has(route.operationId)) byId.set(route.operationId, route);
  const tools: Tool[] = [];
  const faults: ToolFault[] = [];
  const names = new Set<string>();
  for (const [i, choice] of choices.entries()) {
    const report = (field: string, detail: string) => faults.push({ path: [i, field], detail });
    const route = byId.get(choice.operation_id);
    if (route === undefined) {
      report('operation_id', 'names no operation of this configuration; /openapi.json lists them');
      continue;
    }
    const name = choice.name ?? choice.operation_id;
    const named = choice.name == null ? 'operation_id' : 'name';
    if (!namePattern.test(name)) {
      report(named, `makes the tool name "${name}": set name to 1 to 64 letters, digits, _ and -`);
    } else if (names.has(name)) report(named, `repeats the tool name "${name}"`);
    names.add(name);
    const reason = whyUnsuitable(route);
    if (reason !== undefined) {
      report('operation_id', reason);
      continue;
    }
    const tool = createTool(document, route, choice, name);
    const known = Object.keys(tool.definition.inputSchema.properties as object);
    for (const argument of Object.keys(choice.defaults ?? {})) {
      if (known.includes(argument)) continue;
      faults.push({ path: [i, 'defaults', argument], detail: `is no argument.${didYouMean(argument, known)}` });
    }
    tools.push(tool);
  }
  return { tools, faults };
}

const jsonType = 'application/json';

/** An operation without a contract of its own declares any media type. */
function jsonContentOf({ content }: RequestBodyObject): { readonly schema?: unknown } | undefined {
  return content[jsonType] ?? content['*/*'];
}

function whyUnsuitable({ operation, requestBody }: Route): string | undefined {
  if (operation['x-websocket'] === true) return 'opens WebSockets, which tools cannot use';
  if (requestBody !== undefined && jsonContentOf(requestBody) === undefined) return 'takes a body that is not JSON';
  return undefined;
}

/** A property of a tool's input, and the parameter that it sets; the body without one. */
interface Input {
  readonly name: string;
  readonly parameter: ParameterObject | undefined;
}

function createTool(
  document: OpenApiDocument,
  { path, method, operation, parameters, requestBody: body }: Route,
  choice: ToolChoice,
  name: string,
): Tool {
  const inputs = nameInputs(parameters.filter(isSetByArgument), body !== undefined);
  const defaults = choice.defaults ?? {};
  const { translate, definitions } = createSchemaTranslator(document.components?.schemas ?? {});
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  for (const { name: property, parameter } of inputs) {
    const schema = translate(parameter === undefined ? body && jsonContentOf(body)?.schema : parameter.schema);
    const description = parameter?.description ?? (schema.description as string | undefined);
    const isDefaulted = Object.hasOwn(defaults, property);
    properties[property] = {
      ...schema,
      ...(description === undefined ? {} : { description }),
      ...(isDefaulted ? { default: defaults[property] } : {}),
    };
    if (!isDefaulted && (parameter ?? body)?.required === true) required.push(property);
  }
  const target: Target = { method: method.toUpperCase(), path, inputs, names: new Set(inputs.map((one) => one.name)) };
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
    requestOf: (args) => requestOf(target, { ...defaults, ...args }),
  };
}

/**
 * Returns whether an argument sets a parameter. None sets a header field that identifies the caller or frames the
 * message: an agent could otherwise claim another address. An agent has no copy whose condition could lead to a 304.
 */
function isSetByArgument({ in: place, name }: ParameterObject): boolean {
  return place !== 'header' || !ownFields.test(name);
}

const ownFields =
  /^(accept|authorization|connection|content-.*|expect|forwarded|host|if-modified-since|if-none-match|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|x-api-key|x-forwarded-.*)$/i;

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

/** The operation of a tool, as its requests need it. */
interface Target {
  readonly method: string;
  /** The template of the path. */
  readonly path: string;
  readonly inputs: readonly Input[];
  readonly names: ReadonlySet<string>;
}

function requestOf({ method, path: template, inputs, names }: Target, args: Arguments): ToolRequest {
  const headers: Record<string, string> = {};
  const query: string[] = [];
  const cookies: string[] = [];
  let path = template;
  let body: string | undefined;
  const unknown = Object.keys(args).filter((name) => !names.has(name));
  if (unknown.length > 0) {
    throw new ArgumentError(`There is no argument ${unknown.slice(0, 5).join(', ').slice(0, 200)}.`);
  }
  for (const { name, parameter } of inputs) {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    if (value === undefined || (value === null && parameter !== undefined)) {
      if (parameter?.in === 'path') throw new ArgumentError(`The argument ${name} is required.`);
      continue;
    }
    if (parameter === undefined) {
      body = toFiniteJson(value);
      if (body === undefined) throw new ArgumentError(`The argument ${name} contains a number that is too large.`);
      headers['Content-Type'] = jsonType;
    } else if (parameter.in === 'path') path = path.replace(placeOf(parameter), () => inPath(parameter, value));
    else if (parameter.in === 'query') query.push(...inQuery(parameter, value));
    else if (parameter.in === 'header') headers[parameter.name] = inField(name, value);
    else cookies.push(`${parameter.name}=${encode(value)}`);
  }
  if (cookies.length > 0) headers.Cookie = cookies.join('; ');
  return { method, url: query.length === 0 ? path : `${path}?${query.join('&')}`, headers, body };
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function placeOf({ name, 'x-multi-segment': isRest }: ParameterObject): string {
  return isRest === true ? `{${name}*}` : `{${name}}`;
}

/** A parameter of several segments keeps the slashes between them. */
function inPath(parameter: ParameterObject, value: unknown): string {
  const text = Array.isArray(value) ? value.map(textOf).join(',') : textOf(value);
  const segments = parameter['x-multi-segment'] === true ? text.split('/') : [text];
  return segments.map(encodeURIComponent).join('/');
}

/** Writes a query parameter in its style, `form` by default (OpenAPI 3.0, Style Values); one with `content` as JSON. */
function inQuery(parameter: ParameterObject, value: unknown): string[] {
  const { name, content, style = 'form', explode = style === 'form' || style === 'deepObject' } = parameter;
  const pair = (key: string, text: string) => `${encodeURIComponent(key)}=${text}`;
  if (typeof value !== 'object' || value === null || content !== undefined) return [pair(name, encode(value))];
  const joined = (list: readonly unknown[]) => [pair(name, list.map(encode).join(separators[style as string] ?? ','))];
  if (Array.isArray(value)) return explode ? value.map((one) => pair(name, encode(one))) : joined(value);
  const members = Object.entries(value);
  if (!explode) return joined(members.flat());
  const keyOf = (key: string) => (style === 'deepObject' ? `${name}[${key}]` : key);
  return members.flatMap(([key, inner]) => [inner].flat().map((one) => pair(keyOf(key), encode(one))));
}

const encode = (value: unknown) => encodeURIComponent(textOf(value));

/** The separators of lists, encoded, by style. */
const separators: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '%7C' };

function inField(name: string, value: unknown): string {
  const text = Array.isArray(value) ? value.map(textOf).join(',') : textOf(value);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those that a field cannot contain.
  if (/[\x00-\x08\x0a-\x1f\x7f]|[^\x00-\xff]/.test(text)) {
    throw new ArgumentError(`The argument ${name} contains characters that a header field cannot.`);
  }
  return text;
}
