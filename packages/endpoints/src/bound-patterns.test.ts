import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { leastCpuMs } from '../../../tools/workspace/cpu-costs.ts';
import { defineService } from './define-service.ts';
import { createInputReader } from './service-validation.ts';

const hostile = `${'a'.repeat(34)}!`;

function readerOf(body: z.ZodType) {
  const service = defineService({
    name: 'bounded',
    summary: 'x',
    parameters: z.object({}),
    body,
    response: z.object({}),
    handle: () => ({}),
  });
  const read = createInputReader({ service, arguments: [] } as never);
  return (value: unknown) => {
    const readValue = () => read({ path: {}, query: {}, body: value });
    expect(leastCpuMs(readValue, { msMax: 1_000 })).toBeLessThan(1_000);
    return readValue();
  };
}

describe('the schemas of a service', () => {
  it.each([/^(a+)+$/, /^(a+)+$/i, /^(?=a)(a+)+$/u])('run the pattern %s in bounded time', (pattern) => {
    const read = readerOf(z.object({ name: z.string().regex(pattern) }));
    expect(read({ name: 'aaa' })).toEqual({ input: { body: { name: 'aaa' } } });
    expect(read({ name: hostile })).toEqual({ faults: [expect.objectContaining({ pointer: expect.any(String) })] });
  });

  it('check a value against nested unions once', () => {
    const Filter: z.ZodType = z.lazy(() =>
      z.union([
        z.object({ args: z.array(Filter), op: z.literal('and') }),
        z.object({ args: z.array(Filter), op: z.literal('or') }),
        z.object({ op: z.literal('leaf'), value: z.number() }),
      ]),
    );
    const nest = (leaf: object) =>
      Array.from({ length: 24 }).reduce<object>((inside) => ({ op: 'or', args: [inside] }), leaf);
    const read = readerOf(Filter);
    expect(read(nest({ op: 'leaf', value: 1 }))).toEqual({ input: { body: nest({ op: 'leaf', value: 1 }) } });
    expect(read(nest({ op: 'leaf', value: '1' }))).toEqual({ faults: [expect.objectContaining({ pointer: '' })] });
  });
});
