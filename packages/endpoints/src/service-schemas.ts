import { z } from 'zod';
import type { Service } from './endpoint.ts';
import type { SchemaObject } from './json-pointer.ts';

/** The OpenAPI schemas of a service, shared by its endpoints. */
export interface ServiceSchemas {
  readonly parameters: Readonly<Record<string, ParameterSchema>>;
  readonly body: { readonly schema: SchemaObject; readonly isRequired: boolean } | undefined;
  readonly response: SchemaObject;
  /** Schemas that the others refer to. */
  readonly components: Readonly<Record<string, SchemaObject>>;
}

export interface ParameterSchema {
  readonly schema: SchemaObject;
  readonly description: string | undefined;
  readonly example: unknown;
  readonly isRequired: boolean;
  readonly allowsEmpty: boolean;
  readonly isConfiguration: boolean;
}

/** Translates the zod schemas of a service to OpenAPI 3.0. `prefix` begins the names of the components. */
export function createServiceSchemas(service: Service, prefix: string): ServiceSchemas {
  const components: Record<string, SchemaObject> = {};
  const translate = (schema: z.ZodType, io: 'input' | 'output', name: string): SchemaObject => {
    const { definitions, ...rest } = z.toJSONSchema(schema, {
      target: 'openapi-3.0',
      io,
      unrepresentable: 'any',
    }) as Record<string, unknown>;
    const base = `${prefix}${name}`;
    for (const [key, definition] of Object.entries((definitions ?? {}) as Record<string, SchemaObject>)) {
      components[componentName(base, key)] = relink(definition, base);
    }
    return relink(rest, base);
  };
  return {
    parameters: createParameterSchemas(service.parameters, (schema) => translate(schema, 'input', 'Parameters')),
    body: service.body && {
      schema: translate(service.body, 'input', 'Body'),
      isRequired: !service.body.safeParse(undefined).success,
    },
    response: translate(service.response, 'output', 'Answer'),
    components,
  };
}

function createParameterSchemas(
  parameters: z.ZodObject,
  translate: (schema: z.ZodType) => SchemaObject,
): Record<string, ParameterSchema> {
  const whole = translate(parameters);
  const required = new Set((whole.required ?? []) as string[]);
  const schemas = (whole.properties ?? {}) as Record<string, Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { in: place, description, example, ...schema }]) => [
      name,
      {
        schema,
        description: description as string | undefined,
        example,
        isRequired: required.has(name),
        allowsEmpty: (parameters.shape[name] as z.ZodType).safeParse('').success,
        isConfiguration: place === 'configuration',
      },
    ]),
  );
}

/** Rewrites references to zod's definitions into references to components. */
function relink<T>(value: T, base: string): T {
  return JSON.parse(JSON.stringify(value), (key, member: unknown) =>
    key === '$ref' && typeof member === 'string' && member.startsWith('#/definitions/')
      ? `#/components/schemas/${componentName(base, member.slice('#/definitions/'.length))}`
      : member,
  ) as T;
}

function componentName(base: string, definition: string): string {
  return `${base}_${definition.replace(/^_+/, '').replace(/[^A-Za-z0-9._-]/g, '_')}`;
}
