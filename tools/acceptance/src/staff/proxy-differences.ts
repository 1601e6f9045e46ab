/** The responses of the two servers to one request: status and error code. */
export interface ProxyDifference {
  readonly request: string;
  readonly scheduling: string;
  readonly 'staff-proxy': string;
  readonly reason: string;
}

/**
 * All differences of the staff proxy from the scheduling API behind it. The tests in this folder run against both servers and
 * expect another response only by a name of this list. A listed difference that no longer exists fails a test, and so does an
 * unlisted one.
 */
export const proxyDifferences = {
  'omitted companyKey': {
    request: '`GET /v2/staffmember`',
    scheduling: '400 validation_failed',
    'staff-proxy': '200',
    reason: 'A key belongs to one company, which the proxy fills in.',
  },
  'login of an account': {
    request: '`POST /v2/login` with the e-mail and password of an account',
    scheduling: '200',
    'staff-proxy': '401 login_failed',
    reason: 'Clients have keys of the proxy; only the proxy uses accounts of the API.',
  },
  'login with a key': {
    request: '`POST /v2/login` with the name of a key and the key',
    scheduling: '401 login_failed',
    'staff-proxy': '200',
    reason: 'An existing client changes only its base address.',
  },
  'key as a credential': {
    request: '`GET /v2/staffmember` with a key in `X-API-Key`',
    scheduling: '401 token_missing',
    'staff-proxy': '200',
    reason: 'Keys need no login.',
  },
  'no credential': {
    request: '`GET /v2/staffmember` without any',
    scheduling: '401 token_missing',
    'staff-proxy': '401 key_missing',
    reason: 'The missing credential is a key.',
  },
  'condition on hidden data': {
    request: '`GET /v2/staffmember?$filter=Tags/any()` by a caller without the scope `admin`',
    scheduling: '200',
    'staff-proxy': '403 scope_missing',
    reason: 'The account of a key may see tags that the key may not, so the proxy never forwards such a condition.',
  },
  'weak tag in If-Match': {
    request: '`PUT /v2/staffmember/{staff_key}` with `If-Match: W/"…"` of the current version',
    scheduling: '412 precondition_failed',
    'staff-proxy': '200',
    reason: 'The proxy compresses responses, which makes their tags weak, and accepts a weak tag as the strong one.',
  },
} as const satisfies Readonly<Record<string, ProxyDifference>>;

export type ProxyDifferenceName = keyof typeof proxyDifferences;

/** Whether a test expects another response of this server than of the scheduling API. */
export function differs(server: 'scheduling' | 'staff-proxy', _name: ProxyDifferenceName): boolean {
  return server === 'staff-proxy';
}
