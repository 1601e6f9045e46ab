import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../problem/index.ts';
import { presentedKey } from './presented-key.ts';

const read = (...rawHeaders: string[]) => presentedKey({ rawHeaders });

describe('presentedKey', () => {
  it.each([
    ['no header at all', [], null],
    ['X-API-Key', ['X-API-Key', 'k1'], 'k1'],
    ['the header in any case', ['x-api-KEY', 'k1'], 'k1'],
    ['Authorization: Bearer', ['Authorization', 'Bearer k1'], 'k1'],
    ['the scheme in any case', ['authorization', 'bEaReR k1'], 'k1'],
    ['several spaces after the scheme', ['Authorization', 'Bearer   k1'], 'k1'],
    ['another scheme', ['Authorization', 'Basic dTpw'], null],
    ['a scheme that only begins alike', ['Authorization', 'Bearers k1'], null],
    ['an empty key', ['X-API-Key', ''], ''],
    ['a scheme without a token', ['Authorization', 'Bearer'], ''],
    ['a key beside another scheme', ['Authorization', 'Basic dTpw', 'X-API-Key', 'k1'], 'k1'],
  ])('reads %s', (_case, rawHeaders, key) => {
    expect(read(...rawHeaders)).toBe(key);
  });

  it.each([
    ['X-API-Key twice', ['X-API-Key', 'k1', 'x-api-key', 'k1']],
    ['Authorization twice', ['Authorization', 'Bearer k1', 'Authorization', 'Basic dTpw']],
    ['both ways, even with one key', ['X-API-Key', 'k1', 'Authorization', 'Bearer k1']],
    ['two keys that a proxy has joined', ['X-API-Key', 'k1, k2']],
    ['an empty key beside a token', ['X-API-Key', '', 'Authorization', 'Bearer k1']],
  ])('refuses %s', (_case, rawHeaders) => {
    expect(() => read(...rawHeaders)).toThrow(Problem);
    expect(() => read(...rawHeaders)).toThrow(expect.objectContaining({ code: 'key_repeated', status: 401 }));
  });

  it('looks only where the server takes keys', () => {
    const rawHeaders = ['X-API-Key', 'k1', 'Authorization', 'Bearer k2'];
    expect(presentedKey({ rawHeaders }, { schemes: ['bearer'] })).toBe('k2');
    expect(presentedKey({ rawHeaders }, { schemes: ['x-api-key'] })).toBe('k1');
  });

  it('takes at most one key from any headers whatever', () => {
    const name = fc.constantFrom('X-API-Key', 'x-api-key', 'Authorization', 'AUTHORIZATION', 'Host');
    const value = fc.constantFrom('', 'a', 'Bearer a', 'bearer', 'Basic a', 'a,b');
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 5 }), (headers) => {
        const count = (wanted: string) => headers.filter(([n]) => n.toLowerCase() === wanted).length;
        try {
          const key = read(...headers.flat());
          expect(count('x-api-key')).toBeLessThan(2);
          expect(count('authorization')).toBeLessThan(2);
          expect(key ?? '').not.toContain(',');
        } catch (error) {
          expect(error).toMatchObject({ code: 'key_repeated' });
        }
      }),
    );
  });
});
