/** A client whose methods send requests. */
export type AnyClient = Readonly<Record<string, unknown>>;

/** Creates a client with the given fetch. */
export type BuildClient = (fetch: (request: Request) => Promise<Response>) => AnyClient;

/**
 * Returns the request of each method of a client, such as `GET /v2/staffmember/{staff_key}`, by method name. `besides`
 * names methods that are not operations of the contract.
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
    // The result of the call does not matter here.
    await method({ path: namesAsValues, query: { companyKey: 'c' } }).catch(() => undefined);
    calls.set(name, sent);
  }
  return calls;
}

/** Returns each parameter as its own name, so that the path of the request is the template. */
const namesAsValues = new Proxy<Record<string, string>>({}, { get: (_, name) => `{${String(name)}}` });
