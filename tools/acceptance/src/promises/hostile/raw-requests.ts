/** Bytes that are no valid request. */
export interface RawRequest {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Whether the client closes its sending side. */
  readonly isEnded?: boolean;
  /** Whether the server may close without a response, because there is no request. */
  readonly mayClose?: boolean;
}

const long = 'a'.repeat(40_000);

/**
 * Returns all invalid requests.
 * @param start the head of a valid request without a body and without its end, with Connection: close
 * @param post the same for a request with a JSON body
 */
export function rawRequests(start: string, post: string): RawRequest[] {
  const host = /^Host: (.*)\r$/m.exec(start)?.[1] as string;
  const chunked = `${post}Transfer-Encoding: chunked\r\n\r\n`;
  return [
    ...requestLines(host),
    ...Object.entries({
      ...fieldLines(start),
      ...lengths(post),
      ...chunks(chunked),
    }).map(([name, text]) => ({ name, bytes: Buffer.from(text, 'latin1') })),
    ...cutShort(start, post, chunked),
    ...otherProtocols(),
  ];
}

function requestLines(host: string): RawRequest[] {
  const lines: Record<string, string> = {
    'words that are no request': 'hello, are you there?',
    'HTTP/0.9': 'GET /health/live',
    'HTTP/0.9 without a path': 'GET',
    'no method': '/health/live HTTP/1.1',
    'no address': 'GET HTTP/1.1',
    'a space at the start': ' GET /health/live HTTP/1.1',
    'a space at the end': 'GET /health/live HTTP/1.1 ',
    'a space in the address': 'GET /health live HTTP/1.1',
    'a tab between': 'GET\t/health/live\tHTTP/1.1',
    'a method in lower case': 'get /health/live HTTP/1.1',
    'an unknown method': 'FETCH /health/live HTTP/1.1',
    'a method of marks': 'G{}T /health/live HTTP/1.1',
    'a method without an end': long,
    'a method of 40,000 letters': `${long} / HTTP/1.1`,
    'an address of 40,000 letters': `GET /${long} HTTP/1.1`,
    'an address without a slash': 'GET health/live HTTP/1.1',
    'a NUL in the address': 'GET /health\0/live HTTP/1.1',
    'a bell in the address': 'GET /health\x07/live HTTP/1.1',
    'a DEL in the address': 'GET /health\x7f/live HTTP/1.1',
    'a return in the address': 'GET /health\r/live HTTP/1.1',
    'bytes above ASCII in the address': 'GET /health/\xe9\xff HTTP/1.1',
    'a fragment in the address': 'GET /health/nowhere#a HTTP/1.1',
    'a star that is not for OPTIONS': 'GET * HTTP/1.1',
    'an escape that breaks': 'GET /health/%zz HTTP/1.1',
    'an escape cut short': 'GET /health/% HTTP/1.1',
    'an escape of bad UTF-8': 'GET /docs/%ff%fe HTTP/1.1',
    'an escape of a NUL': 'GET /docs/%00 HTTP/1.1',
    'an escape that breaks in the query': 'GET /health/live?%zz=1 HTTP/1.1',
    'an address with a scheme alone': 'GET http:// HTTP/1.1',
    'an address with a bad port': 'GET http://a:99999999/health/live HTTP/1.1',
    'CONNECT without a target': 'CONNECT /health/live HTTP/1.1',
    'version 1.2': 'GET /health/live HTTP/1.2',
    'version 2.0': 'GET /health/live HTTP/2.0',
    'version 0.9': 'GET /health/live HTTP/0.9',
    'version 1.1.1': 'GET /health/live HTTP/1.1.1',
    'version 11': 'GET /health/live HTTP/11',
    'version -1': 'GET /health/live HTTP/-1.1',
    'a version in lower case': 'GET /health/live http/1.1',
    'another protocol': 'GET /health/live ICE/1.0',
    'no version': 'GET /health/live HTTP/',
  };
  const rest = `\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  return Object.entries(lines).map(([name, line]) => ({ name, bytes: Buffer.from(line + rest, 'latin1') }));
}

function fieldLines(start: string): Record<string, string> {
  const request = 'GET /health/live HTTP/1.1\r\n';
  return {
    'no Host': `${request}Connection: close\r\n\r\n`,
    'two Hosts': `${request}Host: a\r\nHost: b\r\n\r\n`,
    'two Hosts alike': `${start}host: a\r\n\r\n`,
    'a field without a name': `${start}: value\r\n\r\n`,
    'a field without a colon': `${start}X-Field value\r\n\r\n`,
    'a space before the colon': `${start}X-Field : value\r\n\r\n`,
    'a space in a name': `${start}X Field: value\r\n\r\n`,
    'a tab before the colon': `${start}X-Field\t: value\r\n\r\n`,
    'a NUL in a name': `${start}X-Fi\0eld: value\r\n\r\n`,
    'marks in a name': `${start}X(Field): value\r\n\r\n`,
    'bytes above ASCII in a name': `${start}X-F\xefeld: value\r\n\r\n`,
    'a NUL in a value': `${start}X-Field: va\0lue\r\n\r\n`,
    'a bell in a value': `${start}X-Field: va\x07lue\r\n\r\n`,
    'an escape code in a value': `${start}X-Field: \x1b[31mred\r\n\r\n`,
    'a DEL in a value': `${start}X-Field: va\x7flue\r\n\r\n`,
    'a return alone in a value': `${start}X-Field: va\rlue\r\n\r\n`,
    'a return alone at the end': `${start}X-Field: value\r\r\n\r\n`,
    'a folded line': `${start}X-Field: a\r\n b\r\n\r\n`,
    'a folded line by a tab': `${start}X-Field: a\r\n\tb\r\n\r\n`,
    'a folded first line': `${request} Host: a\r\nHost: b\r\n\r\n`,
    'line feeds alone': `${start.replaceAll('\r', '')}\n`,
    'one line feed alone': `${start}X-Field: a\nX-Other: b\r\n\r\n`,
    'returns alone': `${start.replaceAll('\n', '')}\r\r\n\r\n`,
    'the end by a line feed alone': `${start}X-Field: a\r\n\n`,
    'a name of 40,000 letters': `${start}${long}: value\r\n\r\n`,
    'a value of 40,000 letters': `${start}X-Field: ${long}\r\n\r\n`,
    'a value without an end': `${start}X-Field: ${long}`,
    '20,000 fields': `${start}${Array.from({ length: 20_000 }, (_, i) => `X-${i}: a\r\n`).join('')}\r\n`,
  };
}

function lengths(post: string): Record<string, string> {
  const of = (...fields: readonly string[]) => `${post}${fields.map((field) => `${field}\r\n`).join('')}\r\nabc`;
  const length = (value: string) => of(`Content-Length: ${value}`);
  return {
    'a length beside chunks': `${post}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    'chunks beside a length': `${post}Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n`,
    'two lengths that differ': of('Content-Length: 3', 'Content-Length: 4'),
    'two lengths alike': of('Content-Length: 3', 'Content-Length: 3'),
    'two lengths in one field': length('3, 3'),
    'a length below none': length('-3'),
    'a length with a sign': length('+3'),
    'a length in hexadecimal': length('0x3'),
    'a length with a fraction': length('3.0'),
    'a length of letters': length('three'),
    'a length with a space': length('3 3'),
    'an empty length': length(''),
    'a length beyond 64 bits': length('99999999999999999999999'),
    'an unknown coding': of('Transfer-Encoding: cow'),
    'chunks that are not last': of('Transfer-Encoding: chunked, gzip'),
    'two codings': of('Transfer-Encoding: chunked', 'Transfer-Encoding: identity'),
    'chunks twice': of('Transfer-Encoding: chunked, chunked'),
    'a coding in disguise': of('Transfer-Encoding: xchunked'),
    'a coding behind a tab': `${post}Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n`,
    'a coding before a space': `${post}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
    'a coding on a folded line': `${post}Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n`,
    'a coding in an old version': `${post.replace('HTTP/1.1', 'HTTP/1.0')}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  };
}

/** Requests with an unknown transfer coding: 501 (RFC 9112 §6.1), unless the rest is rejected first. */
export const unknownCodings: ReadonlySet<string> = new Set(['an unknown coding', 'a coding in disguise']);

function chunks(chunked: string): Record<string, string> {
  return {
    'a chunk of no size': `${chunked}\r\nabc\r\n0\r\n\r\n`,
    'a chunk of a bad size': `${chunked}xyz\r\nabc\r\n0\r\n\r\n`,
    'a chunk of a size below none': `${chunked}-3\r\nabc\r\n0\r\n\r\n`,
    'a chunk of a size beyond 64 bits': `${chunked}fffffffffffffffff\r\nabc`,
    'a chunk longer than its size': `${chunked}2\r\nabc\r\n0\r\n\r\n`,
    'a chunk with a prefix': `${chunked}0x3\r\nabc\r\n0\r\n\r\n`,
    'a chunk by line feeds': `${chunked}3\nabc\n0\n\n`,
    'a chunk with a space before': `${chunked} 3\r\nabc\r\n0\r\n\r\n`,
    'a chunk with a bad extension': `${chunked}3;\0\r\nabc\r\n0\r\n\r\n`,
    'a chunk with a long extension': `${chunked}3;${long}\r\nabc\r\n0\r\n\r\n`,
    'a trailer without a name': `${chunked}0\r\n: a\r\n\r\n`,
    'a trailer of 80,000 letters': `${chunked}0\r\nX-Field: ${long}${long}\r\n\r\n`,
  };
}

function cutShort(start: string, post: string, chunked: string): RawRequest[] {
  const texts = {
    'a request line cut short': 'GET /health/li',
    'a head cut short': start,
    'a field cut short': `${start}X-Fie`,
    'a body cut short': `${post}Content-Length: 10\r\n\r\nabc`,
    'a chunk cut short': `${chunked}a\r\nabc`,
    'chunks without a last one': `${chunked}3\r\nabc\r\n`,
  };
  return Object.entries(texts).map(([name, text]) => ({ name, bytes: Buffer.from(text), isEnded: true }));
}

/** Returns the first bytes of other protocols. */
function otherProtocols(): RawRequest[] {
  const hexes = {
    'the preface of HTTP/2': Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\x12\x04\0\0\0\0\0').toString('hex'),
    'the start of TLS': `16030102000100 01fc0303${'00'.repeat(32)}`.replace(' ', ''),
    'a greeting of SOCKS 5': '050100',
    'the start of SSH': Buffer.from('SSH-2.0-OpenSSH_9.9\r\n').toString('hex'),
    'a PROXY line': Buffer.from('PROXY TCP4 10.0.0.1 10.0.0.2 1 2\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n').toString(
      'hex',
    ),
    'a command of Redis': Buffer.from('*1\r\n$4\r\nPING\r\n').toString('hex'),
    'a start of PostgreSQL': '0000000804d2162f',
    'a response instead of a request': Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n').toString('hex'),
    'NULs alone': '00'.repeat(4_096),
    'bytes above ASCII': 'fffe'.repeat(2_048),
  };
  return [
    ...Object.entries(hexes).map(([name, hex]) => ({ name, bytes: Buffer.from(hex, 'hex') })),
    { name: 'nothing at all', bytes: Buffer.alloc(0), isEnded: true, mayClose: true },
    { name: 'empty lines alone', bytes: Buffer.from('\r\n\r\n\r\n'), isEnded: true, mayClose: true },
  ];
}
