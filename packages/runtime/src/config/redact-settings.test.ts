import { expect, it } from 'vitest';
import { z } from 'zod';
import { redactSettings } from './redact-settings.ts';

it('shows everything but the values of secret fields, wherever they stand', () => {
  const schema = z.object({
    port: z.int().default(1),
    api_keys: z.string().default('').meta({ secret: true }),
    password: z.string().meta({ secret: true }).optional(),
    none: z.string().meta({ secret: true }).optional(),
    targets: z.array(z.object({ url: z.string(), token: z.string().meta({ secret: true }) })),
  });
  const settings = schema.parse({ api_keys: 'hush', password: 'hush', targets: [{ url: 'u', token: 'hush' }] });
  expect(redactSettings(schema, settings)).toEqual({
    port: 1,
    api_keys: '[secret]',
    password: '[secret]',
    targets: [{ url: 'u', token: '[secret]' }],
  });
  expect(redactSettings(schema, { ...settings, api_keys: '' }).api_keys).toBe('');
});
