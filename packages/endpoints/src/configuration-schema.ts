import { type components, document } from '@rostergate/gateway-spec';
import { z } from 'zod';
import { patternMessages } from './pattern-messages.ts';

/** Names of the schemas that the contract holds for the configuration files. */
export type ConfigurationSchemaName =
  | 'Settings'
  | 'EndpointsFile'
  | 'EndpointDefinition'
  | 'ParameterSource'
  | 'KeysFile';

type Schemas = components['schemas'];
type WithDefaults<T, K extends keyof T> = Omit<T, K> & Required<Pick<T, K>>;

/** settings.json as it is after parsing: every field is there. */
export type Settings = Required<Schemas['Settings']>;
/** One entry of endpoints.json after parsing. */
export type EndpointDefinition = WithDefaults<
  Schemas['EndpointDefinition'],
  'method' | 'enabled' | 'requires_auth' | 'tags' | 'parameters' | 'scopes' | 'cache_seconds'
>;
export type EndpointsFile = Required<Schemas['EndpointsFile']>;

/** keys.json as it stands in the file. */
export type KeysFile = Schemas['KeysFile'];

export type ParameterSource = Schemas['ParameterSource'];

/** The zod object for a schema of the contract whose TypeScript type is `T`. */
export type ConfigurationSchema<T> = z.ZodObject<{ [K in keyof T]-?: z.ZodType<T[K]> }>;

/**
 * A zod schema made of the contract's own, so that types, defaults, bounds and descriptions have one source.
 * Objects are strict where the contract allows no additional properties; `x-secret` becomes the meta `secret`.
 */
export function createConfigurationSchema<T>(name: ConfigurationSchemaName): ConfigurationSchema<T> {
  const schemas: unknown = JSON.parse(
    JSON.stringify(document.components?.schemas)
      .replaceAll('"#/components/schemas/', '"#/definitions/')
      .replaceAll('"x-secret":', '"secret":'),
  );
  const definitions = schemas as Record<string, object>;
  explainPatterns(definitions);
  const schema = z.fromJSONSchema({ ...definitions[name], definitions } as Parameters<typeof z.fromJSONSchema>[0], {
    defaultTarget: 'openapi-3.0',
  });
  return schema as unknown as ConfigurationSchema<T>;
}

/** Beside each pattern what it asks for in words, as the meta `patternMessage`. */
function explainPatterns(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  for (const inner of Object.values(schema)) explainPatterns(inner);
  if (!('pattern' in schema) || typeof schema.pattern !== 'string') return;
  const message = patternMessages[schema.pattern];
  if (message !== undefined) Object.assign(schema, { patternMessage: message });
}
