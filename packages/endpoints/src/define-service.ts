import { z } from 'zod';
import { boundPatterns } from './bound-patterns.ts';
import type { Service, ServiceContext } from './endpoint.ts';
import { isSchema, responsesFault } from './responses-fault.ts';
import { type ProblemDefinitions, problemsFault, type ServiceProblems } from './service-problems.ts';
import type {
  OnlyDeclaredHeaders,
  ResponseDefinition,
  ResponseDefinitions,
  ServiceReply,
} from './service-responses.ts';
import { isTransforming } from './service-validation.ts';

/** The first argument of `handle`: every parameter by name and, if the service takes one, the `body`. */
export type ServiceInput<P extends z.ZodObject, B extends z.ZodType | undefined> = z.output<P> &
  (B extends z.ZodType ? { readonly body: z.output<B> } : unknown);

interface CommonDefinition<P extends z.ZodObject, B extends z.ZodType | undefined, E extends ProblemDefinitions> {
  /** The name in `endpoints.json`, case-insensitive: letters, digits, `-` and `_`. */
  readonly name: string;
  /** One line for lists, and the default summary of an endpoint. */
  readonly summary: string;
  readonly description?: string;
  /**
   * The request parameters. A parameter that the endpoint's path names is read from there, any other from the query.
   * `.meta({ in: 'header', key: 'X-Tenant' })` and `.meta({ in: 'cookie' })` read one from a header or cookie.
   * A parameter with `.meta({ in: 'configuration' })` is set in endpoints.json, never by the request.
   */
  readonly parameters: P;
  /** The JSON request body; only for endpoints whose method has one. */
  readonly body?: B;
  /** Further statuses that `handle` may throw as built-in problems, each with its description. */
  readonly errors?: Readonly<Record<number, string>>;
  /** Problems with codes of their own. `handle` gets a function for each, and throws the result. */
  readonly problems?: E;
}

/** A service that returns one JSON response. */
export interface ServiceDefinition<
  P extends z.ZodObject,
  R extends z.ZodType,
  B extends z.ZodType | undefined,
  E extends ProblemDefinitions,
> extends CommonDefinition<P, B, E> {
  /** The JSON response, sent with status 200. Undeclared members are removed; an invalid response becomes a 500. */
  readonly response: R;
  /** An example response for the documentation. */
  readonly example?: z.output<R>;
  /** In place of `example`: the parameter in the configuration whose value is one, such as that of a fixed response. */
  readonly exampleFrom?: string;
  /** The compiler names this member when `handle` of a service with `responses` has an error. */
  readonly responses?: 'handle returns a status, body or header that responses does not declare';
  handle(
    input: ServiceInput<P, B>,
    context: ServiceContext,
    problems: ServiceProblems<E>,
  ): z.output<R> | Promise<z.output<R>>;
}

/** A service that chooses between several responses. */
export interface ServiceWithResponses<
  P extends z.ZodObject,
  R extends z.ZodType | undefined,
  B extends z.ZodType | undefined,
  E extends ProblemDefinitions,
  D extends ResponseDefinitions,
  T,
> extends CommonDefinition<P, B, E> {
  /** The JSON response with status 200; the same as `200: { body }` in `responses`. */
  readonly response?: R;
  /** An example of that response for the documentation. */
  readonly example?: R extends z.ZodType ? z.output<R> : undefined;
  /** The responses by status. `handle` returns `{ status, body, headers }`; anything else becomes a 500. */
  readonly responses: D;
  handle(input: ServiceInput<P, B>, context: ServiceContext, problems: ServiceProblems<E>): T | Promise<T>;
}

/**
 * Returns a service for endpoints. Its schemas are the contract of each endpoint, validate each request and type the
 * arguments of `handle`.
 * @throws DefinitionError, a TypeError that names every fault of the definition.
 */
export function defineService<
  P extends z.ZodObject,
  const D extends ResponseDefinitions,
  T extends ServiceReply<R, D>,
  R extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
  const E extends ProblemDefinitions = Record<never, never>,
>(definition: ServiceWithResponses<P, R, B, E, D, T> & OnlyDeclaredHeaders<T, D>): Service;
export function defineService<
  P extends z.ZodObject,
  R extends z.ZodType,
  B extends z.ZodType | undefined = undefined,
  const E extends ProblemDefinitions = Record<never, never>,
>(definition: ServiceDefinition<P, R, B, E>): Service;
export function defineService(definition: object): Service {
  const faults = checkDefinition(definition);
  if (faults.length > 0) throw new DefinitionError(faults);
  const service = Object.freeze({ ...definition, ...repliesOf(definition) }) as unknown as Service;
  const responses = Object.values(service.replies ?? {}) as readonly ResponseDefinition[];
  boundPatterns(
    service.parameters,
    service.body,
    service.response,
    ...responses.flatMap(({ body, data, headers = {} }) => [body, data, ...Object.values(headers)]),
  );
  defined.add(service);
  return service;
}

/** Returns all responses of a definition with `responses`, the one of `response` included. */
function repliesOf({
  response,
  responses,
  example,
}: Partial<Service> & { readonly responses?: ResponseDefinitions }): Partial<Service> {
  if (responses === undefined) return {};
  const own = response === undefined ? {} : { 200: { body: response, ...(example === undefined ? {} : { example }) } };
  return { response: response ?? z.unknown(), replies: Object.freeze({ ...own, ...responses }) };
}

const defined = new WeakSet<object>();

/** Returns whether `defineService` created the value. */
export function isService(value: unknown): value is Service {
  return typeof value === 'object' && value !== null && defined.has(value);
}

/** A fault in a member of a service's definition, and what to do. */
export interface DefinitionFault {
  readonly field: string;
  readonly detail: string;
}

/** Thrown for an invalid service definition, with all of its faults. */
export class DefinitionError extends TypeError {
  readonly faults: readonly DefinitionFault[];

  constructor(faults: readonly DefinitionFault[]) {
    super(faults.map(({ field, detail }) => (field === '' ? detail : `${field}: ${detail}`)).join(' '));
    this.faults = faults;
  }
}

/** Returns the faults of a definition. Types are stripped, not checked, when a service is loaded. */
function checkDefinition(given: unknown): DefinitionFault[] {
  if (typeof given !== 'object' || given === null) {
    return [{ field: '', detail: 'The definition is missing. Write defineService({ name: …, … }).' }];
  }
  const definition = given as Readonly<Record<string, unknown>>;
  return members.flatMap(([field, find]) => {
    const detail = find(definition[field], definition);
    return detail === undefined ? [] : [{ field, detail }];
  });
}

type Find = (value: unknown, definition: Readonly<Record<string, unknown>>) => string | undefined;

const noSchema = "It is not a zod 4 schema. Import z from 'rostergate' and write";

const members: readonly (readonly [field: string, find: Find])[] = [
  ['name', nameFault],
  ['summary', (value) => textFault(value, 'Summarize the service in one line.')],
  ['description', (value) => (value === undefined ? undefined : textFault(value, 'Leave it out.'))],
  ['parameters', parametersFault],
  ['body', (value) => (value === undefined || isSchema(value) ? undefined : `${noSchema} z.object({ … }).`)],
  ['response', responseFault],
  ['responses', responsesFault],
  ['problems', problemsFault],
  ['example', exampleFault],
  ['exampleFrom', exampleFromFault],
  ['handle', handleFault],
];

function nameFault(value: unknown): string | undefined {
  if (value === undefined || value === '') return 'It is missing. Give the service a name.';
  if (typeof value !== 'string') return 'It is not a string. Give the service a name.';
  if (/^[A-Za-z][A-Za-z0-9_-]*$/.test(value)) return undefined;
  return `"${value}" is not a valid name. Begin with a letter, then use letters, digits, - and _.`;
}

function textFault(value: unknown, remedy: string): string | undefined {
  if (typeof value === 'string') return undefined;
  return `It is ${value === undefined ? 'missing' : 'not a string'}. ${remedy}`;
}

function parametersFault(value: unknown, { body }: Readonly<Record<string, unknown>>): string | undefined {
  if (value === undefined) return 'They are missing. Write z.object({}) for a service that takes none.';
  if (!isSchema(value)) return `${noSchema} z.object({ … }).`;
  if (!isObjectSchema(value))
    return 'It is not an object schema. Write z.object({ … }) with a member for each parameter.';
  for (const [name, schema] of Object.entries(value.shape)) {
    const place = (schema as z.ZodType).meta()?.in;
    if (place !== undefined && !places.includes(place)) {
      return `${name} is in "${place}", which is none of ${places.join(', ')}.`;
    }
  }
  if (body === undefined || !('body' in value.shape)) return undefined;
  return 'The service has a body and a parameter named body: rename the parameter.';
}

/** Where a parameter may be. A path or query needs no mark. */
const places: readonly unknown[] = ['path', 'query', 'header', 'cookie', 'configuration'];

function responseFault(value: unknown, { responses }: Readonly<Record<string, unknown>>): string | undefined {
  if (value === undefined && responses !== undefined) return undefined;
  if (value === undefined) return 'It is missing. Describe the response, such as z.object({ … }).';
  return isSchema(value) ? undefined : `${noSchema} z.object({ … }).`;
}

/** The example of a transforming schema is not checked: it may be transformed already. */
function exampleFault(example: unknown, { response }: Readonly<Record<string, unknown>>): string | undefined {
  if (example === undefined || !isSchema(response) || isTransforming(response)) return undefined;
  const issues = response.safeParse(example).error?.issues ?? [];
  if (issues.length === 0) return undefined;
  const list = issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`));
  return `It does not match the response schema. ${list.join('; ')}`;
}

function exampleFromFault(name: unknown, { parameters }: Readonly<Record<string, unknown>>): string | undefined {
  if (name === undefined || !isSchema(parameters) || !isObjectSchema(parameters)) return undefined;
  const isOwn = typeof name === 'string' && Object.hasOwn(parameters.shape, name);
  const parameter = isOwn ? (parameters.shape[name] as z.ZodType) : undefined;
  return parameter?.meta()?.in === 'configuration'
    ? undefined
    : "It names no parameter of the configuration: mark one with .meta({ in: 'configuration' }).";
}

function handleFault(value: unknown): string | undefined {
  if (typeof value === 'function') return undefined;
  return `It is ${value === undefined ? 'missing' : 'not a function'}. Write a function, such as handle: ({ name }) => ({ … }).`;
}

function isObjectSchema(schema: z.ZodType): schema is z.ZodObject {
  return schema._zod.def.type === 'object';
}
