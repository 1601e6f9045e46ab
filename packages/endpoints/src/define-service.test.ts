import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { defineService, isService } from './define-service.ts';
import type { ServiceContext } from './endpoint.ts';

const parameters = z.object({ symbol: z.string().default('BTC') });
const response = z.object({ price: z.number() });

describe('defineService', () => {
  it('types the argument of handle by the schemas, defaults applied', () => {
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

  it('refuses at compile time an answer that the response schema does not allow', () => {
    // @ts-expect-error price is a number
    defineService({ name: 'wrong', summary: '', parameters, response, handle: () => ({ price: '1' }) });
    // @ts-expect-error there is no such argument
    defineService({ name: 'wrong', summary: '', parameters, response, handle: ({ symbl }) => ({ price: symbl }) });
  });

  it.each(['', 'two words', '1st', 'a/b'])('refuses the name "%s", which no configuration could give', (name) => {
    expect(() => defineService({ name, summary: '', parameters, response, handle: () => ({ price: 1 }) })).toThrow(
      TypeError,
    );
  });

  it('refuses a parameter that the body would hide', () => {
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

describe('a definition that no compiler has checked', () => {
  const good = { name: 'a', summary: 'x', parameters, response, handle: () => ({ price: 1 }) };
  const define = (members: object) => defineService({ ...good, ...members } as unknown as typeof good);

  it('is refused in one TypeError that names everything that is wrong', () => {
    const empty = () => defineService({} as unknown as typeof good);
    expect(empty).toThrow(TypeError);
    for (const field of ['name', 'summary', 'parameters', 'response', 'handle'])
      expect(empty).toThrow(new RegExp(`\\b${field}: (It is|They are) missing\\.`));
    expect(empty).toThrow('name: It is missing. Give the service a name.');
    expect(() => defineService(undefined as unknown as typeof good)).toThrow('There is no definition');
  });

  it.each([
    [{ name: 5 }, 'name: It is no text.'],
    [{ summary: 5 }, 'summary: It is no text.'],
    [{ description: 5 }, 'description: It is no text.'],
    [{ parameters: { symbol: z.string() } }, 'parameters: It is no schema of zod 4'],
    [{ parameters: z.string() }, 'parameters: It is no object.'],
    [{ body: {} }, 'body: It is no schema of zod 4'],
    [{ response: { price: 'number' } }, 'response: It is no schema of zod 4'],
    [{ handle: 'x' }, 'handle: It is no function.'],
    [{ example: { price: 'much' } }, 'example: It is no answer that response allows. price: '],
  ])('is refused with %j', (members, message) => {
    expect(() => define(members)).toThrow(message);
  });

  it('may show an answer as a transformation leaves it', () => {
    const transformed = z.object({ price: z.string().transform(Number) });
    expect(isService(define({ response: transformed, example: { price: 1 } }))).toBe(true);
  });
});

describe('isService', () => {
  it('knows what defineService made from what only looks like it', () => {
    const definition = { name: 'x', summary: '', parameters, response, handle: () => ({ price: 1 }) };
    const service = defineService(definition);
    expect([service, definition, { ...service }, null, undefined, 'x'].map(isService)).toEqual([
      true,
      ...Array(5).fill(false),
    ]);
  });
});
