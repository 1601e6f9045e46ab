import type { z } from 'zod';
import { boundPatterns } from './bound-patterns.ts';
import type { Service, ServiceContext } from './endpoint.ts';
import { isTransforming } from './service-validation.ts';

/** The arguments of `handle`: every parameter by name and, if the service takes one, the `body`. */
export type ServiceInput<P extends z.ZodObject, B extends z.ZodType | undefined> = z.output<P> &
  (B extends z.ZodType ? { readonly body: z.output<B> } : unknown);

export interface ServiceDefinition<P extends z.ZodObject, R extends z.ZodType, B extends z.ZodType | undefined> {
  /** The name in `endpoints.json`, case-insensitive: letters, digits, `-` and `_`. */
  readonly name: string;
  /** One line for lists, and the default summary of an endpoint. */
  readonly summary: string;
  readonly description?: string;
  /**
   * The request parameters. A parameter that the endpoint's path names is read from there, any other from the query.
   * A parameter with `.meta({ in: 'configuration' })` is set in endpoints.json, never by the request.
   */
  readonly parameters: P;
  /** The JSON request body; only for endpoints whose method has one. */
  readonly body?: B;
  /** The JSON response, sent with status 200. Undeclared members are removed; an invalid response becomes a 500. */
  readonly response: R;
  /** An example response for the documentation. */
  readonly example?: z.output<R>;
  /** Further statuses that `handle` may throw as problems, each with its description. */
  readonly errors?: Readonly<Record<number, string>>;
  handle(input: ServiceInput<P, B>, context: ServiceContext): z.output<R> | Promise<z.output<R>>;
}

/**
 * Returns a service for endpoints. Its schemas are the contract of each endpoint, validate each request and type the
 * arguments of `handle`.
 * @throws DefinitionError, a TypeError that names every fault of the definition.
 */
export function defineService<P extends z.ZodObject, R extends z.ZodType, B extends z.ZodType | undefined = undefined>(
  definition: ServiceDefinition<P, R, B>,
): Service {
  const faults = checkDefinition(definition);
  if (faults.length > 0) throw new DefinitionError(faults);
  boundPatterns(definition.parameters, definition.body, definition.response);
  const service = Object.freeze({ ...definition }) as unknown as Service;
  defined.add(service);
  return service;
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
  ['example', exampleFault],
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
  if (body === undefined || !('body' in value.shape)) return undefined;
  return 'The service has a body and a parameter named body: rename the parameter.';
}

function responseFault(value: unknown): string | undefined {
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

function handleFault(value: unknown): string | undefined {
  if (typeof value === 'function') return undefined;
  return `It is ${value === undefined ? 'missing' : 'not a function'}. Write a function, such as handle: ({ name }) => ({ … }).`;
}

/** Checks for zod's own mark: a service may bring another copy of zod. */
function isSchema(value: unknown): value is z.ZodType {
  return typeof value === 'object' && value !== null && '_zod' in value;
}

function isObjectSchema(schema: z.ZodType): schema is z.ZodObject {
  return schema._zod.def.type === 'object';
}
