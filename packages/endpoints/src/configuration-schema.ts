import { type components, document } from '@rostergate/gateway-spec';
import { z } from 'zod';

/** Names of the schemas that the contract holds for the configuration files. */
export type ConfigurationSchemaName =
  | 'Settings'
  | 'EndpointsFile'
  | 'EndpointDefinition'
  | 'ParameterSource'
  | 'KeysFile'
  | 'AddressesPolicy'
  | 'HeadersPolicy'
  | 'CorsPolicy'
  | 'BodySizePolicy'
  | 'CodePolicy'
  | 'ExpressPolicy';

type Schemas = components['schemas'];
export type WithDefaults<T, K extends keyof T> = Omit<T, K> & Required<Pick<T, K>>;

/** settings.json after parsing: every field is set. */
export type Settings = Omit<Required<Schemas['Settings']>, 'jwt_issuers' | 'mcp' | 'usage' | 'portal'> & {
  readonly jwt_issuers: readonly JwtIssuer[];
  /** Undefined without tools for AI agents. */
  readonly mcp?: Mcp | undefined;
  /** Undefined when no usage is stored. */
  readonly usage?: UsageSettings | undefined;
  /** Undefined without a portal for developers. */
  readonly portal?: Portal | undefined;
};
export type UsageSettings = Required<Schemas['UsageSettings']>;
export type Mcp = Required<Schemas['Mcp']>;
export type Portal = Required<Schemas['Portal']>;
/** One entry of `jwt_issuers` after parsing. */
export type JwtIssuer = WithDefaults<
  Schemas['JwtIssuer'],
  | 'algorithms'
  | 'token_types'
  | 'owner_claim'
  | 'scopes_claim'
  | 'plan_claim'
  | 'clock_tolerance_seconds'
  | 'keys_refresh_seconds'
  | 'keys_stale_seconds_max'
>;
/** One entry of endpoints.json after parsing. */
export type EndpointDefinition = WithDefaults<
  Schemas['EndpointDefinition'],
  'method' | 'enabled' | 'requires_auth' | 'tags' | 'parameters' | 'scopes' | 'cache_seconds' | 'policies'
>;
export type EndpointsFile = Required<Schemas['EndpointsFile']>;

/** One entry of `policies` in endpoints.json. */
export type PolicyOfType<T extends Schemas['Policy']['type']> = Extract<Schemas['Policy'], { readonly type: T }>;
export type HeaderRules = Schemas['HeaderRules'];

/** keys.json as written in the file. */
export type KeysFile = Schemas['KeysFile'];

export type ParameterSource = Schemas['ParameterSource'];

/** A fault of a configuration file, with its JSON pointer (RFC 6901). */
export interface ConfigurationFault {
  readonly pointer: string;
  readonly detail: string;
}

/** Reports a fault at a path below the value that is being read. */
export type Report = (path: readonly PropertyKey[], detail: string) => void;

/** The zod object for a schema of the contract whose TypeScript type is `T`. */
export type ConfigurationSchema<T> = z.ZodObject<{ [K in keyof T]-?: z.ZodType<T[K]> }>;

/**
 * Returns a zod schema made from a schema of the contract: types, defaults, bounds and descriptions have one source.
 * Objects are strict where the contract allows no additional properties; `x-secret` becomes the meta `secret`. Each is
 * created on first use, because that takes milliseconds and most configurations need few of them. The schema of
 * `EndpointsFile` accepts any endpoint and policy: each of these is parsed separately, with its own schema.
 */
export function createConfigurationSchema<T>(name: ConfigurationSchemaName): ConfigurationSchema<T> {
  let schema = created.get(name);
  if (schema === undefined) {
    definitions ??= readDefinitions();
    schema = z.fromJSONSchema({ ...definitions[name], definitions } as Parameters<typeof z.fromJSONSchema>[0], {
      defaultTarget: 'openapi-3.0',
    });
    created.set(name, schema);
  }
  return schema as unknown as ConfigurationSchema<T>;
}

const created = new Map<ConfigurationSchemaName, z.ZodType>();
let definitions: Record<string, object> | undefined;

/** Returns the contract's schemas as JSON Schema. */
function readDefinitions(): Record<string, object> {
  const schemas = JSON.parse(
    JSON.stringify(document.components?.schemas)
      .replaceAll('"#/components/schemas/', '"#/definitions/')
      .replaceAll('"x-secret":', '"secret":'),
  );
  explainPatterns(schemas);
  // Each endpoint and policy is parsed separately, and creating their schemas twice takes 15 ms.
  const { endpoints, policies } = schemas.EndpointsFile.properties;
  endpoints.items = {};
  policies.additionalProperties = {};
  return schemas;
}

/** Adds the meta `patternMessage`, which explains the pattern in words, beside each pattern. */
function explainPatterns(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  for (const inner of Object.values(schema)) explainPatterns(inner);
  if (!('pattern' in schema) || typeof schema.pattern !== 'string') return;
  const message = patternMessages[schema.pattern];
  if (message !== undefined) Object.assign(schema, { patternMessage: message });
}

/** Messages for the patterns of the configuration schemas; each continues "It". */
export const patternMessages: Readonly<Record<string, string>> = {
  '^/': 'must begin with /',
  '^https?://': 'must begin with http:// or https://',
  '^$|^rediss?(-cluster|-sentinel)?://':
    'must begin with redis://, redis-cluster:// or redis-sentinel://, with rediss for TLS, or be empty',
  '^$|^postgres(ql)?://': 'must begin with postgres:// or postgresql://, or be empty',
  '^$|^postgres(ql)?://|^rediss?(-cluster|-sentinel)?://':
    'must begin with postgres://, or with redis://, redis-cluster:// or redis-sentinel:// (rediss for TLS), or be empty',
  '^(\\*|https?://[^/?#\\s]+)$': 'must be * or an origin such as https://app.example, without a path',
  '^https?://[^/?#@\\s]+(/[^?#\\s]*)?$':
    'must be an address that begins with http:// or https://, without credentials, query and fragment',
  '^[\\x21\\x23-\\x2b\\x2d-\\x5b\\x5d-\\x7e]+$':
    'must be printable ASCII without spaces, commas, quotes and backslashes',
  '^[a-z0-9][a-z0-9-]*$': 'must begin with a letter or digit and contain only lower-case letters, digits and -',
  '^(key|jwt:[a-z0-9][a-z0-9-]*)$': 'must be key, or jwt: and the name of an issuer such as jwt:corp',
  '^$|^https?://[^/?#@\\s]+(/[^?#\\s]*)?$':
    'must be an address that begins with http:// or https://, without credentials, query and fragment, or be empty',
  '^https?://[^/?#@\\s]+$': 'must be an address such as https://api.example.com, without a path',
  '^[A-Za-z0-9_-]{1,64}$': 'must be 1 to 64 letters, digits, _ and -',
  '^https?://[^?#@\\s]+$': 'must be an address that begins with https://, without credentials, query and fragment',
  '^https?://[^#@\\s]+$': 'must be an address that begins with https://, without credentials and fragment',
  '^[A-Za-z0-9!#$&^_.+-]+$': 'must be a media type such as at+jwt or JWT, without application/',
  '^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$': 'must be a host name, without scheme and port',
  '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$': 'must be printable ASCII without spaces, quotes and backslashes',
  '^/[\\x21\\x24-\\x3e\\x40-\\x7e]*$': 'must begin with / and be percent-encoded, without a query',
  '^[A-Za-z0-9][A-Za-z0-9._@-]*$': 'must begin with a letter or digit and contain only letters, digits and . _ @ -',
  '^[A-Za-z0-9][A-Za-z0-9._@:|-]*$':
    'must begin with a letter or digit and contain only letters, digits and . _ @ : | -',
  '^[0-9a-f]{64}$': 'must be 64 lower-case hexadecimal digits',
};
