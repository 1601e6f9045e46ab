// Written by tools/contract from tools/contract/templates/client/etag-of.ts. Do not edit: run `pnpm generate`.
const etags = new WeakMap<object, string>();

/**
 * Returns the `ETag` of a response body. Send it as `ifMatch` to change a resource only if it has not changed meanwhile
 * (RFC 9110 §13.1.1), or as `ifNoneMatch` to read a resource only if it has changed. The argument must be the object that
 * the client returned, not a copy. Throws TypeError when the response had no ETag.
 */
export function etagOf(body: object): string {
  const etag = etags.get(body);
  if (etag === undefined) throw new TypeError('The response has no ETag.');
  return etag;
}

/** @internal Stores the ETag of a body as long as the body is referenced. */
export function rememberEtag<Body>(body: Body, { headers }: Response): Body {
  const etag = headers.get('ETag');
  if (etag && typeof body === 'object' && body) etags.set(body, etag);
  return body;
}
