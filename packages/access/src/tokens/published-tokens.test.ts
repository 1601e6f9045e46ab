import type { JWK } from 'jose';
import { expect, it } from 'vitest';
import { IssuerKeys } from './issuer-keys.ts';

/** The tokens of RFC 7515 appendix A and RFC 7519 §6.1, which share one payload. */
const payload = 'eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ';
const rs256: JWK = {
  kty: 'RSA',
  n: 'ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ',
  e: 'AQAB',
};
const es256: JWK = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
};
const signatures = {
  RS256:
    'cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw',
  ES256: 'DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q',
} as const;

const tokenOf = (algorithm: keyof typeof signatures) =>
  `${Buffer.from(JSON.stringify({ alg: algorithm })).toString('base64url')}.${payload}.${signatures[algorithm]}`;

async function verify(token: string, key: JWK, algorithms: string[]) {
  const source = { name: 'joe', issuer: 'joe', jwksUrl: undefined };
  const keys = new IssuerKeys({ source, clock: () => 0, load: async () => ({ keys: [key], ageMs: 0 }) });
  const set = await keys.require({ refreshMs: 1_000, staleMsMax: 1_000 });
  return set.verify(token, { algorithms, issuer: 'joe', currentDate: new Date(1_300_819_379_000) });
}

it.each([
  ['RS256 (RFC 7515 A.2)', 'RS256', rs256],
  ['ES256 (RFC 7515 A.3)', 'ES256', es256],
] as const)('accepts the published token of %s, and none with another signature', async (_, algorithm, key) => {
  const token = tokenOf(algorithm);
  expect(await verify(token, key, [algorithm])).toMatchObject({ iss: 'joe', 'http://example.com/is_root': true });
  await expect(verify(token, { ...key, kid: 'other' }, ['PS256'])).rejects.toMatchObject({
    code: 'ERR_JOSE_ALG_NOT_ALLOWED',
  });
  const other = token.replace('.eyJpc3Mi', '.eyJpc3Nj');
  await expect(verify(other, key, [algorithm])).rejects.toMatchObject({
    code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
  });
});

it('rejects the unsecured token of RFC 7519 §6.1', async () => {
  const token = `eyJhbGciOiJub25lIn0.${payload}.`;
  await expect(verify(token, es256, ['ES256'])).rejects.toMatchObject({ code: 'ERR_JOSE_ALG_NOT_ALLOWED' });
});
