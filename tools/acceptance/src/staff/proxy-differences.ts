/** What the same request is answered with by each of the two servers: its status, and the code of a refusal. */
export interface ProxyDifference {
  readonly request: string;
  readonly scheduling: string;
  readonly 'staff-proxy': string;
  readonly reason: string;
}

/**
 * All in which the staff proxy answers otherwise than the scheduling API behind it. The tests in this folder run over
 * both, and where one expects something else of the proxy it does so by a name of this list. A difference that is none any
 * more fails, as does one that is not here.
 */
export const proxyDifferences = {
  'companyKey left out': {
    request: '`GET /v2/staffmember`',
    scheduling: '400 validation_failed',
    'staff-proxy': '200',
    reason: 'A key stands for one company, which the proxy fills in.',
  },
  'login of an account': {
    request: '`POST /v2/login` with the e-mail and password of an account',
    scheduling: '200',
    'staff-proxy': '401 login_failed',
    reason: 'Callers hold keys of the proxy; accounts of the API are its own, and nobody logs in with one.',
  },
  'login with a key': {
    request: '`POST /v2/login` with the name of a key and the key',
    scheduling: '401 login_failed',
    'staff-proxy': '200',
    reason: 'So that an existing client changes only its base address.',
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
    reason: 'What is missing is a key.',
  },
  'condition on what is hidden': {
    request: '`GET /v2/staffmember?$filter=Tags/any()` by a caller without the scope `admin`',
    scheduling: '200',
    'staff-proxy': '403 scope_missing',
    reason: 'The account behind a key may see tags that the key may not: such a condition never reaches the API.',
  },
  'weak tag in If-Match': {
    request: '`PUT /v2/staffmember/{staff_key}` with `If-Match: W/"…"` of the current version',
    scheduling: '412 precondition_failed',
    'staff-proxy': '200',
    reason:
      'The proxy compresses, which makes a tag weak, and takes such a tag for the strong one that it was made of.',
  },
} as const satisfies Readonly<Record<string, ProxyDifference>>;

export type ProxyDifferenceName = keyof typeof proxyDifferences;

/** Whether a test has to expect something else of this server than of the scheduling API. */
export function differs(server: 'scheduling' | 'staff-proxy', _name: ProxyDifferenceName): boolean {
  return server === 'staff-proxy';
}
