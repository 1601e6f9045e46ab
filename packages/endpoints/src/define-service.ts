import type { z } from 'zod';
import { boundPatterns } from './bound-patterns.ts';
import type { Service, ServiceContext } from './endpoint.ts';
import { isTransforming } from './service-validation.ts';

/** The arguments of `handle`: every parameter by its name and, where the service takes one, the `body`. */
export type ServiceInput<P extends z.ZodObject, B extends z.ZodType | undefined> = z.output<P> &
  (B extends z.ZodType ? { readonly body: z.output<B> } : unknown);

export interface ServiceDefinition<P extends z.ZodObject, R extends z.ZodType, B extends z.ZodType | undefined> {
  /** How `endpoints.json` calls it, in any case: letters, digits, `-` and `_`. */
  readonly name: string;
  /** One line for lists; the documentation of an endpoint falls back to it. */
  readonly summary: string;
  readonly description?: string;
  /**
   * What the caller may send. A name that stands in the endpoint's path is taken from there, any other from the query.
   * A parameter with `.meta({ in: 'configuration' })` is never taken from the request: endpoints.json gives it.
   */
  readonly parameters: P;
  /** The JSON body; only for endpoints whose method has one. */
  readonly body?: B;
  /** The JSON answer, sent with status 200. What it does not name is left out; what it forbids is answered with 500. */
  readonly response: R;
  /** An answer to show in the documentation. */
  readonly example?: z.output<R>;
  /** Statuses that `handle` may throw as problems beyond those of every endpoint, with what they mean here. */
  readonly errors?: Readonly<Record<number, string>>;
  handle(input: ServiceInput<P, B>, context: ServiceContext): z.output<R> | Promise<z.output<R>>;
}

/**
 * Defines what endpoints can be made of: its schemas become the contract of each endpoint, the validation of each
 * request and the type of what `handle` is given.
 * @throws DefinitionError, a TypeError that names everything that is wrong with the definition.
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

/** Whether a value is what `defineService` returned. */
export function isService(value: unknown): value is Service {
  return typeof value === 'object' && value !== null && defined.has(value);
}

/** What is wrong with a member of a service's definition, and what to do. */
export interface DefinitionFault {
  readonly field: string;
  readonly detail: string;
}

/** A definition that makes no service, with everything that is wrong with it. */
export class DefinitionError extends TypeError {
  readonly faults: readonly DefinitionFault[];

  constructor(faults: readonly DefinitionFault[]) {
    super(faults.map(({ field, detail }) => (field === '' ? detail : `${field}: ${detail}`)).join(' '));
    this.faults = faults;
  }
}

/** Holds a definition against what its type asks for: types are stripped, not checked, when a service is loaded. */
export function checkDefinition(given: unknown): DefinitionFault[] {
  if (typeof given !== 'object' || given === null) {
    return [{ field: '', detail: 'There is no definition: write defineService({ name: …, … }).' }];
  }
  const definition = given as Readonly<Record<string, unknown>>;
  return members.flatMap(([field, find]) => {
    const detail = find(definition[field], definition);
    return detail === undefined ? [] : [{ field, detail }];
  });
}

type Find = (value: unknown, definition: Readonly<Record<string, unknown>>) => string | undefined;

const noSchema = "It is no schema of zod 4: import z from 'rostergate', and write";

const members: readonly (readonly [field: string, find: Find])[] = [
  ['name', nameFault],
  ['summary', (value) => textFault(value, 'Say in a line what the service does.')],
  ['description', (value) => (value === undefined ? undefined : textFault(value, 'Leave it out.'))],
  ['parameters', parametersFault],
  ['body', (value) => (value === undefined || isSchema(value) ? undefined : `${noSchema} z.object({ … }).`)],
  ['response', responseFault],
  ['example', exampleFault],
  ['handle', handleFault],
];

function nameFault(value: unknown): string | undefined {
  if (value === undefined || value === '') return 'It is missing. Give the service a name.';
  if (typeof value !== 'string') return 'It is no text. Give the service a name.';
  if (/^[A-Za-z][A-Za-z0-9_-]*$/.test(value)) return undefined;
  return `A service cannot be called "${value}": begin with a letter, then letters, digits, - and _.`;
}

function textFault(value: unknown, remedy: string): string | undefined {
  if (typeof value === 'string') return undefined;
  return `It is ${value === undefined ? 'missing' : 'no text'}. ${remedy}`;
}

function parametersFault(value: unknown, { body }: Readonly<Record<string, unknown>>): string | undefined {
  if (value === undefined) return 'They are missing. Write z.object({}) for a service that takes none.';
  if (!isSchema(value)) return `${noSchema} z.object({ … }).`;
  if (!isObjectSchema(value)) return 'It is no object. Write z.object({ … }), with a member for each parameter.';
  if (body === undefined || !('body' in value.shape)) return undefined;
  return 'The service has a body and a parameter called body: rename the parameter.';
}

function responseFault(value: unknown): string | undefined {
  if (value === undefined) return 'It is missing. Say what the service answers, such as z.object({ … }).';
  return isSchema(value) ? undefined : `${noSchema} z.object({ … }).`;
}

/** What may have been transformed already is shown as it is. */
function exampleFault(example: unknown, { response }: Readonly<Record<string, unknown>>): string | undefined {
  if (example === undefined || !isSchema(response) || isTransforming(response)) return undefined;
  const issues = response.safeParse(example).error?.issues ?? [];
  if (issues.length === 0) return undefined;
  const list = issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`));
  return `It is no answer that response allows. ${list.join('; ')}`;
}

function handleFault(value: unknown): string | undefined {
  if (typeof value === 'function') return undefined;
  return `It is ${value === undefined ? 'missing' : 'no function'}. Write what answers, such as handle: ({ name }) => ({ … }).`;
}

/** Told by what it says of itself: services may bring a zod of their own. */
function isSchema(value: unknown): value is z.ZodType {
  return typeof value === 'object' && value !== null && '_zod' in value;
}

function isObjectSchema(schema: z.ZodType): schema is z.ZodObject {
  return schema._zod.def.type === 'object';
}
