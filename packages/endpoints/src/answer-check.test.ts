import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { answerCheckOf } from './answer-check.ts';
import { defineService } from './define-service.ts';

const checkOf = (response: z.ZodType) =>
  answerCheckOf(
    defineService({ name: 'a', summary: '', parameters: z.object({}), response, handle: () => undefined as never }),
  );

describe('answerCheckOf', () => {
  it('passes what the schema allows, with its defaults', () => {
    const check = checkOf(z.object({ n: z.number(), unit: z.string().default('EUR'), at: z.date().optional() }));
    const at = new Date(0);
    expect(check({ n: 1, at })).toEqual({ n: 1, unit: 'EUR', at });
  });

  it('leaves out what the schema does not name, and keeps what a loose one lets through', () => {
    expect(checkOf(z.object({ n: z.number() }))({ n: 1, password_hash: 'x' })).toEqual({ n: 1 });
    expect(checkOf(z.looseObject({ n: z.number() }))({ n: 1, more: 2 })).toEqual({ n: 1, more: 2 });
  });

  it('refuses what the schema forbids, naming service and place but no value', () => {
    const check = checkOf(z.object({ prices: z.array(z.object({ usd: z.number() })) }));
    expect(() => check({ prices: [{ usd: 1 }, { usd: 'secret' }] })).toThrow(
      'The service a answered what its response schema forbids. answer.prices.1.usd: Invalid input: expected number',
    );
    expect(() => check({ prices: [{ usd: 'secret' }] })).not.toThrow(/secret/);
    expect(() => check(undefined)).toThrow('answer: ');
  });

  it('takes the answer of a schema that transforms as it is: it was transformed already', () => {
    expect(checkOf(z.object({ n: z.string().transform(Number) }))({ n: 1 })).toEqual({ n: 1 });
  });
});
