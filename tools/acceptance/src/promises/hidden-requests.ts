/** A field that no request or response may carry as a result of a forged one. */
export const injectedName = 'X-Injected';

/** Fields, and the bytes after them. */
type Sent = readonly [fields: readonly string[], sent: string];

/** Returns forms of a body with another request behind it. */
export type Bodies = (body: string, hidden: string) => Sent[];

const chunked = 'Transfer-Encoding: chunked';
const end = '0\r\n\r\n';
const chunkOf = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

/** Returns bodies with a clear end (RFC 9112 §6.3), followed by another request. */
export function clearBodies(body: string, hidden: string): Sent[] {
  const bytes = Buffer.byteLength(body);
  const whole = chunkOf(body) + end + hidden;
  return [
    [[chunked], whole],
    [['Transfer-Encoding: CHUNKED'], whole],
    [['Transfer-Encoding: identity, chunked'], whole],
    [['Transfer-Encoding: gzip, chunked'], whole],
    [['Transfer-Encoding: ,chunked'], whole],
    [[chunked, 'Expect: 100-continue'], whole],
    [['Transfer_Encoding: chunked', `Content-Length: ${bytes}`], body + hidden],
    [[`Content-Length: ${bytes}`], body + hidden],
    [[`Content-Length: 0${bytes}`], body + hidden],
    [['Content-Length: 0'], hidden],
    [[], hidden],
    [[chunked], `${chunkOf(body)}0\r\n${injectedName}: y\r\nContent-Length: 100\r\nX-API-Key: other\r\n\r\n${hidden}`],
  ];
}

/** Returns bodies whose end depends on which field is read and how, followed by another request. */
export function unclearBodies(body: string, hidden: string): Sent[] {
  const bytes = Buffer.byteLength(body);
  const chunk = chunkOf(body);
  const whole = chunk + end + hidden;
  const length = `Content-Length: ${bytes}`;
  return [
    [[length, chunked], whole],
    [[chunked, length], whole],
    [[chunked, 'Content-Length: 4'], whole],
    ...[
      'xchunked',
      'chunked, identity',
      'identity',
      'chunked, chunked',
      '"chunked"',
      'chunked;q=1',
      'chunk',
      '\u000bchunked',
    ].map((value): Sent => [[`Transfer-Encoding: ${value}`], whole]),
    [['Transfer-Encoding : chunked', length], whole],
    [['Transfer-Encoding\t: chunked', length], whole],
    [['X: y\nTransfer-Encoding: chunked', length], whole],
    [['Transfer-Encoding:\r\n chunked', length], whole],
    [[chunked, 'Transfer-Encoding: identity'], whole],
    [[chunked, 'Transfer-Encoding: x'], whole],
    [[length, length], body + hidden],
    [[length, 'Content-Length: 0'], body + hidden],
    ...[
      `${bytes},${bytes}`,
      `+${bytes}`,
      `-${bytes}`,
      `0x${bytes.toString(16)}`,
      `${bytes} 1`,
      `${bytes}.0`,
      '',
      '99999999999999999999',
      '\u0661',
    ].map((value): Sent => [[`Content-Length: ${value}`], body + hidden]),
    [['Content-Length : 0'], body + hidden],
    [[chunked], `${bytes.toString(16)};${hidden.slice(0, 10)}\n${body}\r\n${end}${hidden}`],
    [[chunked], `${bytes.toString(16)}\n${body}\n0\n\n${hidden}`],
    [[chunked], `0x${chunk}${end}${hidden}`],
    [[chunked], `-1\r\n${body}\r\n${end}${hidden}`],
    [[chunked], `ffffffffffffffff1\r\n${body}\r\n${end}${hidden}`],
    [[chunked], `${bytes.toString(16)}\r\n${body}XX${end}${hidden}`],
    [[chunked], `${chunk}0\r\nX\r\n\r\n${hidden}`],
  ];
}
