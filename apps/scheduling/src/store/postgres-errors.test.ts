import { Problem } from '@rostergate/server/problem';
import { describe, expect, it } from 'vitest';
import { isWorthRepeating, toStoreError } from './postgres-errors.ts';

const failure = (code: string, message = 'secret') => Object.assign(new Error(message), { code });

describe('toStoreError', () => {
  it.each([
    ['57014', 400, 'query_too_costly'],
    ['54001', 400, 'query_too_costly'],
    ['22003', 400, 'validation_failed'],
    ['22021', 400, 'validation_failed'],
    ['08006', 503, 'unavailable'],
    ['40P01', 503, 'unavailable'],
    ['53300', 503, 'unavailable'],
    ['55P03', 503, 'unavailable'],
    ['57P01', 503, 'unavailable'],
    ['25006', 503, 'unavailable'],
    ['ECONNREFUSED', 503, 'unavailable'],
    ['EAI_AGAIN', 503, 'unavailable'],
  ])('reports %s as %i %s, with the database error as cause', (code, status, problem) => {
    const error = failure(code);
    const result = toStoreError(error) as Problem;
    expect([result.status, result.code, result.cause]).toEqual([status, problem, error]);
    expect(result.detail).not.toContain('secret');
    expect(result.headers['Retry-After']).toBe(status === 503 ? '1' : undefined);
  });

  it.each(['Connection terminated unexpectedly', 'timeout exceeded when trying to connect', 'Query read timeout'])(
    'treats a driver error without a code as a lost connection: %s',
    (message) => {
      expect((toStoreError(new Error(message)) as Problem).code).toBe('unavailable');
    },
  );

  it('checks every address that was tried', () => {
    const tried = [failure('ECONNREFUSED'), failure('ENETUNREACH')];
    expect((toStoreError(new AggregateError(tried)) as Problem).code).toBe('unavailable');
    const other = new AggregateError([...tried, failure('ESOMETHING')]);
    expect(toStoreError(other)).toBe(other);
  });

  it.each([failure('42703'), failure('23505'), new TypeError('x'), new Problem('not_found', 'x'), 'text', undefined])(
    'returns any other error unchanged: %s',
    (error) => {
      expect(toStoreError(error)).toBe(error);
    },
  );
});

describe('isWorthRepeating', () => {
  it('is true for conflicts between transactions, and for a plan from before a migration', () => {
    for (const error of [failure('40001'), failure('40P01'), failure('0A000', 'cached plan must not change')]) {
      expect([isWorthRepeating(error), isWorthRepeating(toStoreError(error))]).toEqual([true, true]);
    }
  });

  it('is false for everything else', () => {
    for (const error of [
      failure('23505'),
      failure('0A000'),
      failure('57P01'),
      new Problem('conflict', 'x'),
      undefined,
    ]) {
      expect(isWorthRepeating(error)).toBe(false);
    }
  });
});
