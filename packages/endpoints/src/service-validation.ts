import { PatternTimeError, startPatternBudget } from '@rostergate/server';
import { faultsMax } from '@rostergate/server/problem';
import { z } from 'zod';
import type { Argument, Endpoint, Service } from './endpoint.ts';
import { toPointer } from './json-pointer.ts';

/** The parts of a request that contain arguments, as coerced by the contract's validator. */
export interface EndpointRequest {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** Header and cookie parameters; present for endpoints that take arguments from them. */
  readonly header?: Readonly<Record<string, unknown>>;
  readonly cookie?: Readonly<Record<string, unknown>>;
}

/** A fault of the request: the name of the parameter, header or cookie, or a pointer into the body. */
export type InputFault =
  | { readonly parameter: string; readonly detail: string }
  | { readonly header: string; readonly detail: string }
  | { readonly cookie: string; readonly detail: string }
  | { readonly pointer: string; readonly detail: string };

export type EndpointInput = { readonly input: unknown } | { readonly faults: readonly InputFault[] };

/**
 * Returns the reader of an endpoint's requests: it collects the service's arguments and parses them by the service's
 * schemas. The contract's validator has checked the request before, but cannot replace this: it does not trim, refine,
 * transform or remove undeclared members, and it counts the length of strings in code points instead of UTF-16 units.
 */
export function createInputReader(endpoint: Endpoint): (request: EndpointRequest) => EndpointInput {
  const { service, arguments: sources } = endpoint;
  const schema = inputSchemaOf(service);
  return (request) => {
    // Without a prototype: schemas look up arbitrary names.
    const given: Record<string, unknown> = Object.create(null);
    for (const argument of sources) {
      const value =
        argument.source === 'configuration'
          ? argument.value
          : (request[argument.source] as EndpointRequest['query'])[argument.key];
      if (value !== undefined) given[argument.name] = value;
    }
    if (service.body !== undefined) given[bodyKey] = request.body;
    let parsed: z.ZodSafeParseResult<unknown>;
    try {
      startPatternBudget();
      parsed = schema.safeParse(given);
    } catch (error) {
      if (!(error instanceof PatternTimeError)) throw error;
      return { faults: [{ pointer: '', detail: 'takes too long to check against the patterns of the schema' }] };
    }
    if (parsed.success) return { input: parsed.data };
    const places = new Map(sources.map((source) => [source.name, placeOf(source)]));
    const issues = parsed.error.issues.slice(0, faultsMax);
    return { faults: issues.map(({ path, message }) => toFault(path, message, places)) };
  };
}

const bodyKey = 'body';
const inputSchemas = new WeakMap<Service, z.ZodType>();

/** Returns the schema of parameters and body together; created once for all endpoints of a service. */
function inputSchemaOf(service: Service): z.ZodType {
  if (service.body === undefined) return service.parameters;
  let schema = inputSchemas.get(service);
  if (schema === undefined) {
    schema = z.object({ ...service.parameters.shape, [bodyKey]: service.body });
    inputSchemas.set(service, schema);
  }
  return schema;
}

function placeOf(argument: Argument): FaultPlace {
  if (argument.source === 'configuration') return { parameter: argument.name };
  const { source, key } = argument;
  return source === 'header' ? { header: key } : source === 'cookie' ? { cookie: key } : { parameter: key };
}

type FaultPlace = { readonly parameter: string } | { readonly header: string } | { readonly cookie: string };

function toFault(path: readonly PropertyKey[], detail: string, places: ReadonlyMap<string, FaultPlace>): InputFault {
  const [first, ...rest] = path.map(String);
  const place = first === undefined ? undefined : places.get(first);
  if (place !== undefined) return { ...place, detail };
  return { pointer: toPointer(rest), detail };
}

/** Returns a service's response without the members that its schema does not declare. */
export type ResponseCheck = (response: unknown) => unknown;

/**
 * Returns the check of a service's responses against its schema, shared by all endpoints of the service: types are
 * stripped, not checked, when a service is loaded. The check throws an Error that names each fault without its value.
 */
export function responseCheckOf(service: Service): ResponseCheck {
  let check = checks.get(service);
  if (check === undefined) {
    check = isTransforming(service.response) ? (response) => response : createResponseCheck(service);
    checks.set(service, check);
  }
  return check;
}

const checks = new WeakMap<Service, ResponseCheck>();

function createResponseCheck({ name, response }: Service): ResponseCheck {
  return (given) => {
    startPatternBudget();
    const parsed = response.safeParse(given);
    if (parsed.success) return parsed.data;
    const listed = parsed.error.issues.slice(0, faultsMax);
    const faults = listed.map(({ path, message }) => `${['response', ...path].join('.')}: ${message}`);
    throw new Error(`The response of the service ${name} does not match its schema. ${faults.join('; ')}`);
  };
}

/** Returns whether a schema transforms: parsing a response that `handle` returned would transform it again. */
export function isTransforming(schema: z.ZodType): boolean {
  let found = false;
  z.toJSONSchema(schema, {
    io: 'output',
    unrepresentable: 'any',
    override: ({ zodSchema }) => {
      const { type } = zodSchema._zod.def;
      if (type === 'pipe' || type === 'transform') found = true;
    },
  });
  return found;
}
