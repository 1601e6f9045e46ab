import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkJsonFile } from './check-json-file.ts';
import { ConfigError } from './config-error.ts';
import { parseJsonFile } from './json-file.ts';

const schema = z.strictObject({
  endpoints: z.array(
    z.strictObject({
      path: z.string().startsWith('/'),
      method: z.enum(['GET', 'POST']).default('GET'),
      parameters: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
});

const check = (text: string) => checkJsonFile(schema, parseJsonFile(text, 'endpoints.json'));

describe('checkJsonFile', () => {
  it('returns the typed value with defaults, frozen, without notes', () => {
    const value = check('{ "_note": 1, "endpoints": [{ "path": "/a", "_why": "", "parameters": { "_x": 1 } }] }');
    expect(value).toEqual({ endpoints: [{ path: '/a', method: 'GET', parameters: { _x: 1 } }] });
    expect(Object.isFrozen(value.endpoints[0])).toBe(true);
  });

  it('reports every fault with its place, in file order', () => {
    const text = '{\n"endpoints": [\n{ "path": "a", "methd": "GET" },\n{ "method": "get" }\n] }';
    try {
      check(text);
      expect.unreachable();
    } catch (error) {
      expect((error as ConfigError).faults.map(({ where, field, detail }) => `${where} ${field} ${detail}`)).toEqual([
        'endpoints.json:3:11 endpoints[0].path Invalid string: must start with "/". Given: "a".',
        'endpoints.json:3:16 endpoints[0].methd There is no such field. Did you mean method?',
        'endpoints.json:4:1 endpoints[1].path It is required.',
        'endpoints.json:4:13 endpoints[1].method Expected one of "GET"|"POST". Given: "get". Did you mean GET?',
      ]);
      expect(error).toBeInstanceOf(ConfigError);
    }
  });

  it.each([
    'ftp://user:canary@host',
    'ftp://host/?key=canary',
    'user:canary@host:6379',
    'http:/user:canary@host',
    'user:canary@host/0',
    'http:host/x?key=canary',
    'host/\n?key=canary',
  ])('omits a URL that may contain a secret, in any field: %s', (address) => {
    const text = JSON.stringify({ endpoints: [{ path: address }] });
    expect(() => check(text)).toThrow(ConfigError);
    expect(() => check(text)).not.toThrow('canary');
  });
});
