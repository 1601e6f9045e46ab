// Written by tools/contract from tools/contract/templates/client/etag-of.ts. Do not edit: run `pnpm generate`.
const etags = new WeakMap<object, string>();

/**
 * The `ETag` that an answer of this client came with: send it back as `ifMatch`, and the change is made only when nobody
 * has made another meanwhile (RFC 9110 §13.1.1), or as `ifNoneMatch` to read only what has changed. It belongs to the
 * object that the client gave, not to copies of it; throws TypeError for anything that came with none.
 */
export function etagOf(answer: object): string {
  const etag = etags.get(answer);
  if (etag === undefined) throw new TypeError('This came without an ETag.');
  return etag;
}

/** @internal Keeps the ETag of an answer for as long as somebody has the answer. */
export function rememberEtag<Answer>(answer: Answer, { headers }: Response): Answer {
  const etag = headers.get('ETag');
  if (etag && typeof answer === 'object' && answer) etags.set(answer, etag);
  return answer;
}
