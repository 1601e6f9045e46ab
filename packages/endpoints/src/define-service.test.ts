import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { defineService, isService } from './define-service.ts';
import type { ServiceContext } from './endpoint.ts';

const parameters = z.object({ symbol: z.string().default('BTC') });
const response = z.object({ price: z.number() });

describe('defineService', () => {
  it('types the argument of handle by the schemas, including defaults', () => {
    defineService({
      name: 'typed',
      summary: '',
      parameters,
      body: z.object({ amount: z.number() }),
      response,
      handle(input, context) {
        expectTypeOf(input.symbol).toEqualTypeOf<string>();
        expectTypeOf(input.body.amount).toEqualTypeOf<number>();
        expectTypeOf(context).toEqualTypeOf<ServiceContext>();
        return { price: input.body.amount };
      },
    });
  });

  it('rejects an invalid response at compile time', () => {
    // @ts-expect-error price is a number
    defineService({ name: 'wrong', summary: '', parameters, response, handle: () => ({ price: '1' }) });
    // @ts-expect-error there is no such argument
    defineService({ name: 'wrong', summary: '', parameters, response, handle: ({ symbl }) => ({ price: symbl }) });
  });

  it.each(['', 'two words', '1st', 'a/b'])('rejects the name "%s"', (name) => {
    expect(() => defineService({ name, summary: '', parameters, response, handle: () => ({ price: 1 }) })).toThrow(
      TypeError,
    );
  });

  it('rejects a parameter named body beside a body', () => {
    const shape = z.object({ body: z.string() });
    expect(() =>
      defineService({
        name: 'a',
        summary: '',
        parameters: shape,
        body: z.string(),
        response,
        handle: () => ({ price: 1 }),
      }),
    ).toThrow('rename the parameter');
  });
});

describe('a definition that is not type-checked', () => {
  const good = { name: 'a', summary: 'x', parameters, response, handle: () => ({ price: 1 }) };
  const define = (members: object) => defineService({ ...good, ...members } as unknown as typeof good);

  it('is rejected with one TypeError that names every fault', () => {
    const empty = () => defineService({} as unknown as typeof good);
    expect(empty).toThrow(TypeError);
    for (const field of ['name', 'summary', 'parameters', 'response', 'handle'])
      expect(empty).toThrow(new RegExp(`\\b${field}: (It is|They are) missing\\.`));
    expect(empty).toThrow('name: It is missing. Give the service a name.');
    expect(() => defineService(undefined as unknown as typeof good)).toThrow('The definition is missing');
  });

  it.each([
    [{ name: 5 }, 'name: It is not a string.'],
    [{ summary: 5 }, 'summary: It is not a string.'],
    [{ description: 5 }, 'description: It is not a string.'],
    [{ parameters: { symbol: z.string() } }, 'parameters: It is not a zod 4 schema'],
    [{ parameters: z.string() }, 'parameters: It is not an object schema.'],
    [{ body: {} }, 'body: It is not a zod 4 schema'],
    [{ response: { price: 'number' } }, 'response: It is not a zod 4 schema'],
    [{ handle: 'x' }, 'handle: It is not a function.'],
    [{ example: { price: 'much' } }, 'example: It does not match the response schema. price: '],
    [{ exampleFrom: 'symbol' }, 'exampleFrom: It names no parameter of the configuration: mark one with '],
  ])('is rejected with %j', (members, message) => {
    expect(() => define(members)).toThrow(message);
  });

  it('may have an example that is already transformed', () => {
    const transformed = z.object({ price: z.string().transform(Number) });
    expect(isService(define({ response: transformed, example: { price: 1 } }))).toBe(true);
  });
});

describe('isService', () => {
  it('accepts only what defineService returned', () => {
    const definition = { name: 'x', summary: '', parameters, response, handle: () => ({ price: 1 }) };
    const service = defineService(definition);
    expect([service, definition, { ...service }, null, undefined, 'x'].map(isService)).toEqual([
      true,
      ...Array(5).fill(false),
    ]);
  });
});
