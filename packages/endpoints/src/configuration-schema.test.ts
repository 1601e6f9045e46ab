import { document } from '@rostergate/gateway-spec';
import { describe, expect, it } from 'vitest';
import {
  createConfigurationSchema,
  type EndpointDefinition,
  patternMessages,
  type Settings,
} from './configuration-schema.ts';

const settings = createConfigurationSchema<Settings>('Settings');
const definition = createConfigurationSchema<EndpointDefinition>('EndpointDefinition');

describe('createConfigurationSchema', () => {
  it('fills in every setting from the contract', () => {
    expect(settings.parse({})).toMatchObject({
      host: '127.0.0.1',
      port: 8000,
      api_keys: '',
      enable_landing_page: true,
      enable_docs: true,
      enable_redoc: true,
      enable_openapi: true,
      enabled_routers: ['health', 'metrics', 'auth', 'endpoints'],
      rate_limit_enabled: true,
      rate_limit_per_minute: 60,
      rate_limit_per_minute_authenticated: 300,
    });
  });

  it('applies bounds, enumerations and strictness of the contract', () => {
    expect(settings.safeParse({ port: 65536 }).success).toBe(false);
    expect(settings.safeParse({ rate_limit_per_minute: 0 }).success).toBe(false);
    expect(settings.safeParse({ enabled_routers: ['helth'] }).success).toBe(false);
    expect(settings.safeParse({ prot: 1 }).success).toBe(false);
  });

  it('follows references: a mapping is checked', () => {
    const given = { path: '/a', service: 's', parameters: { x: { source: 'path', key: 'x' }, y: 1 } };
    expect(definition.parse(given)).toMatchObject({
      method: 'GET',
      enabled: true,
      tags: [],
      parameters: given.parameters,
    });
    expect(definition.safeParse({ path: '/a', service: '' }).success).toBe(false);
  });

  it('marks keys as secret', () => {
    const { innerType } = settings.shape.api_keys.def as unknown as { innerType: { meta(): unknown } };
    expect(innerType.meta()).toMatchObject({ secret: true });
  });
});

function patternsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'pattern' in value && typeof value.pattern === 'string' ? [value.pattern] : [];
  return [...own, ...Object.values(value).flatMap(patternsOf)];
}

/** Returns the schemas that configuration files are made of, by the names of the files' own. */
function reachedSchemas(roots: readonly string[]): unknown[] {
  const schemas = document.components?.schemas as unknown as Record<string, unknown>;
  const names = new Set(roots);
  // A set iterates over what is added meanwhile.
  for (const name of names) {
    for (const [, other] of JSON.stringify(schemas[name]).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      names.add(other as string);
    }
  }
  return [...names].map((name) => schemas[name]);
}

it('has a message for every pattern of the configuration schemas and no other', () => {
  const used = reachedSchemas(['Settings', 'EndpointsFile', 'KeysFile']).flatMap(patternsOf);
  expect([...new Set(used)].sort()).toEqual(Object.keys(patternMessages).sort());
});
