import type { z } from 'zod';
import { isTransforming } from './answer-check.ts';

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
