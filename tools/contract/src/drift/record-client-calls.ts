/** A client of which nothing is known but that its methods send requests. */
export type AnyClient = Readonly<Record<string, unknown>>;

/** Builds a client over a fetch of one's own. */
export type BuildClient = (fetch: (request: Request) => Promise<Response>) => AnyClient;

/**
 * What each method of a client sends, as `GET /v2/staffmember/{staff_key}`, by the method's name. Methods that are no
 * operation of the contract are named in `besides`.
 */
export async function recordClientCalls(
  build: BuildClient,
  besides: readonly string[] = [],
): Promise<Map<string, string>> {
  let sent = '';
  const client = build(async ({ method, url }) => {
    sent = `${method} ${decodeURIComponent(new URL(url).pathname)}`;
    return Response.json({});
  });
  const calls = new Map<string, string>();
  for (const [name, method] of Object.entries(client)) {
    if (typeof method !== 'function' || besides.includes(name)) continue;
    sent = 'nothing';
    // What it makes of the answer is not looked at here.
    await method({ path: namesAsValues, query: { companyKey: 'c' } }).catch(() => undefined);
    calls.set(name, sent);
  }
  return calls;
}

/** Each path parameter is filled in by its own name, so that the address that is sent is the template. */
const namesAsValues = new Proxy<Record<string, string>>({}, { get: (_, name) => `{${String(name)}}` });
