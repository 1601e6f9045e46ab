import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { defineService, isService, type ServiceContext } from './define-service.ts';

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
