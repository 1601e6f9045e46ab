import { hostileQueries } from '../../../../../packages/odata/test/hostile.ts';
import type { ServerName } from '../../start-server.ts';

/** A request with about `size` characters of one kind in one place. */
export interface GrowingInput {
  readonly name: string;
  /** Doubling sizes. */
  readonly sizes: readonly number[];
  readonly request: (size: number) => GrownRequest;
}

export interface GrownRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export const growingSizes = [1_000, 2_000, 4_000, 8_000, 16_000];

/** Returns every kind of text in every place where a server takes text. */
export function growingInputs(server: ServerName, companyKey: string): GrowingInput[] {
  const isStaff = server !== 'gateway';
  return [
    ...(isStaff ? oDataInputs(companyKey) : []),
    ...filledInputs('a path of', pathPieces, (text) => ({ path: `/${text}` })),
    ...filledInputs('a name in the path of', pathPieces, (text) => ({
      path: isStaff ? `/v2/staffmember/${text}` : `/api/hello/${text}`,
    })),
    ...(isStaff
      ? []
      : filledInputs('the rest of a path of', restPieces, (text) => ({
          path: `/api/tree/${text}`,
        }))),
    ...filledInputs('a query of', queryPieces, (text) => ({
      path: `${isStaff ? '/v2/staffmember' : '/endpoints'}?${text}`,
    })),
    ...Object.entries(fieldPieces).flatMap(([field, pieces]) =>
      filledInputs(`${field} of`, pieces, (text) => ({
        path: isStaff ? '/v2/staffmember?$top=1' : '/endpoints',
        headers: { [field]: field === 'Authorization' ? `Bearer ${text}` : text },
      })),
    ),
    ...filledInputs('names of fields of', ['X-A'], (text) => ({
      path: '/health/live',
      headers: Object.fromEntries(Array.from({ length: text.length / 12 }, (_, i) => [`X-${i}`, 'a'])),
    })),
    ...Object.entries(bodyTexts).map(([name, text]) => ({
      name: `a body of ${name}`,
      sizes: growingSizes,
      request: (size: number) => ({
        method: 'POST',
        path: isStaff ? '/v2/staffmember' : '/api/echo',
        headers: { 'Content-Type': 'application/json' },
        body: text(size),
      }),
    })),
    ...(isStaff
      ? filledInputs('a form of', ['a=1&', 'email=a&', '%41', '=', '&', 'a[b]=1&', '+'], (text) => ({
          method: 'POST',
          path: '/v2/login',
          headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
          body: text,
        }))
      : []),
  ];
}

/** Returns the hostile queries of the OData package with names of the contract, and expensive valid queries. */
function oDataInputs(companyKey: string): GrowingInput[] {
  const words: Readonly<Record<string, string>> = {
    ...{ Age: 'Fte', Name: 'LastName', Namme: 'LastNmae', Groups: 'Tags', Key: 'StaffKey', Seen: 'StartDate' },
    Address: 'Skillset',
  };
  const inWords = (text: string) =>
    text.replaceAll(/\b(?:Age|Name|Namme|Groups|Key|Seen|Address)\b/g, (word) => words[word] as string);
  const input = (name: string, inputSizes: readonly number[], create: (size: number) => string) => ({
    name: `OData of ${name}`,
    sizes: inputSizes,
    request: (size: number) => ({
      path: `/v2/staffmember?companyKey=${companyKey}&$top=1&${create(size).replaceAll(' ', '+')}`,
    }),
  });
  return [
    ...Object.entries(hostileQueries).map(([name, create]) =>
      input(name, growingSizes, (size) => inWords(create(size))),
    ),
    // Small sizes, because the limits of a query are low.
    ...Object.entries(expensiveQueries).map(([name, create]) => input(name, [250, 500, ...growingSizes], create)),
  ];
}

/** Valid queries with as much work for the database as their text allows. */
const expensiveQueries: Readonly<Record<string, (size: number) => string>> = {
  'searches in text': repeated("contains(concat(LastName,FirstName),'%25_%25')", ' or '),
  'cases of letters': repeated("tolower(toupper(tolower(LastName))) eq 'x'", ' or '),
  'conditions on collections': repeated("Tags/any(t:t/Tags/any(n:contains(n/Name,'x')))", ' or '),
  'counts of collections': repeated('Tags/$count gt 99', ' or '),
  patterns: repeated("matchesPattern(LastName,'^(a*)*b$')", ' or '),
  'a pattern that grows': (size) => `$filter=matchesPattern(LastName,'${'(a|b|ab)*'.repeat(size / 9)}c')`,
  dates: repeated('year(StartDate) add month(StartDate) eq 1', ' or '),
  'a list of names': (size) => `$filter=LastName in ('a'${",'b'".repeat(size / 4)})`,
  'a long text': (size) => `$filter=contains(LastName,'${'a'.repeat(size)}')`,
  'terms that sort': (size) =>
    `$orderby=LastName${Array.from({ length: size / 30 }, () => ',length(concat(City,State))').join('')}`,
  'names to select': (size) => `$select=StaffKey${',LastName,FirstName'.repeat(size / 19)}`,
};

function repeated(condition: string, by: string): (size: number) => string {
  return (size) => `$filter=${condition}${(by + condition).repeat(size / (by.length + condition.length))}`;
}

/** Returns an input for each piece of text, which is repeated up to the size. */
export function filledInputs(
  what: string,
  pieces: readonly string[],
  request: (text: string) => GrownRequest,
): GrowingInput[] {
  return pieces.map((piece) => ({
    name: `${what} ${JSON.stringify(piece)}`,
    sizes: growingSizes,
    request: (size) => request(piece.repeat(size / piece.length)),
  }));
}

const pathPieces = [
  'a',
  'a/',
  '/',
  '%2f',
  '%2e%2e%2f',
  '../',
  './',
  '%25',
  '%41',
  ';a=b',
  '*',
  ':',
  '{a}',
  '-.',
  '%e2%82%ac',
];
export const restPieces = [...pathPieces, 'a/%2e', '%25a', 'a%'];
const queryPieces = [
  'a=1&',
  '&',
  '=',
  'a[b]',
  '[]',
  'a[]=1&',
  '%5B',
  '%41',
  '+',
  '%2B',
  'a.b.',
  '$top=1&',
  '__proto__[a]=1&',
  '?',
];
/** Pieces of header values. */
export const lists = ['a', 'a,', ',', ' ', 'a=b;', '"', '\\', '"a",', 'a;q=0.1,', '\t', ', '];
const fieldPieces: Readonly<Record<string, readonly string[]>> = {
  Accept: [...lists, 'a/b,', '*/*;q=0.1,', 'text/html;a="b";q=0.5,', '/'],
  'Accept-Encoding': [...lists, 'gzip;q=0.1,', 'br,'],
  Authorization: ['a', ' ', ',', '_', 'a.'],
  'X-API-Key': ['a', 'a_', '_', ' ', 'é'],
  Cookie: ['a=b;', ';', '='],
  Forwarded: ['for=1.2.3.4,', 'for="[::1]";', ';', '"'],
  'If-None-Match': ['"a",', 'W/"a",', '"', ',', 'W/'],
  'If-Match': ['"a",', '"'],
  'If-Modified-Since': ['a', '1', ' '],
  Origin: ['a', 'http://', '.'],
  Prefer: ['a=b,', 'maxpagesize=1,', ';', '='],
  Range: ['0-1,', '-'],
  traceparent: ['0', '-'],
  tracestate: ['a=b,', ','],
  'X-Forwarded-For': ['1.2.3.4,', '::,', ',', '1', ':'],
  'X-Request-Id': ['a', '-'],
  'User-Agent': ['a', '(', ' a/1'],
  'Content-Type': ['a', ';', ';a=b', 'charset=', '; charset ='],
  'Access-Control-Request-Headers': ['a,', 'X-A, '],
};

const bodyTexts: Readonly<Record<string, (size: number) => string>> = {
  'open lists': (size) => '['.repeat(size),
  'nested lists': (size) => `{"a":${'['.repeat(size / 2)}${']'.repeat(size / 2)}}`,
  'nested objects': (size) => `${'{"a":'.repeat(size / 6)}1${'}'.repeat(size / 6)}`,
  'one name, again and again': (size) => `{${'"StaffId":"a",'.repeat(size / 14)}"StaffId":""}`,
  'unknown names': (size) => `{${Array.from({ length: size / 9 }, (_, i) => `"a${i}":1`).join(',')}}`,
  'names close to known ones': (size) =>
    `{${Array.from({ length: size / 16 }, (_, i) => `"StafId${i}":""`).join(',')}}`,
  'a long name': (size) => `{"${'a'.repeat(size)}":1}`,
  'a long text': (size) => JSON.stringify({ StaffId: 'a'.repeat(size), Email: 'a@'.repeat(size / 2) }),
  'a text of one colour': (size) => JSON.stringify({ StaffId: '', BgColor: `#${'0'.repeat(size)}` }),
  'a long date': (size) => JSON.stringify({ StaffId: '', StartDate: `2024-01-01T00:00:00.${'1'.repeat(size)}` }),
  'a date of spaces': (size) => JSON.stringify({ StaffId: '', StartDate: ' '.repeat(size) }),
  digits: (size) => `{"Fte":${'9'.repeat(size)}}`,
  'a fraction': (size) => `{"Fte":0.${'9'.repeat(size)}}`,
  escapes: (size) => `{"StaffId":"${'\\u0041'.repeat(size / 6)}"}`,
  surrogates: (size) => `{"StaffId":"${'\\ud800'.repeat(size / 6)}"}`,
  'lists of nothing': (size) => `{"Tags":[${'[],'.repeat(size / 3)}[]]}`,
  'lists of wrong things': (size) => `{"Tags":[${'1,'.repeat(size / 2)}1],"Skillset":[${'{},'.repeat(size / 3)}{}]}`,
  spaces: (size) => `{${' '.repeat(size)}"StaffId":""}`,
};
