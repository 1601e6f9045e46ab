import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

/** A body with the fields that describe it. */
export interface BodyForm {
  readonly name: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
}

const json = { 'Content-Type': 'application/json' };
const object = Buffer.from('{"a":1}');
const mebibytes = 1_048_576;

/** Returns bodies with an unsupported or wrong type, character set or encoding. Compressing them takes seconds. */
export const createWrongForms = (): readonly BodyForm[] => [
  ...types().map((type) => ({ name: `the type ${type}`, fields: { 'Content-Type': type }, bytes: object })),
  { name: 'no type', fields: {}, bytes: object },
  ...['utf-16', 'utf-16le', 'utf-16be', 'utf-32', 'utf-7', 'iso-8859-1', 'windows-1252', 'cow', '../../etc'].map(
    (name) => ({ name: `the character set ${name}`, fields: charset(name), bytes: object }),
  ),
  ...['utf-8; charset=utf-7', '" utf-16le"', 'utf-7; x="; charset=utf-8"', '"utf-8; x=1'].map((text) => ({
    name: `the character set ${text}`,
    fields: charset(text),
    bytes: object,
  })),
  {
    name: 'a character set behind a quoted one',
    fields: { 'Content-Type': 'application/json; x="; charset=utf-8"; charset=utf-7' },
    bytes: Buffer.from('{"+AGE-":1}'),
  },
  ...['cow', 'x-gzip', 'zstd', 'compress', 'gzip, gzip', 'gzip, br', 'identity, gzip', 'gzip;q=1', 'GZIP ,', '*'].map(
    (name) => encoded(`the encoding ${name}`, name, object),
  ),
  encoded('invalid gzip', 'gzip', object),
  encoded('invalid br', 'br', Buffer.from('garbage, not at all compressed')),
  encoded('invalid deflate', 'deflate', object),
  encoded('gzip cut short', 'gzip', gzipSync(Buffer.alloc(1_000, '{"a":1}  ')).subarray(0, 20)),
  encoded('br cut short', 'br', brotliCompressSync(Buffer.alloc(1_000, 'a1b2c3')).subarray(0, 10)),
  encoded('deflate cut short', 'deflate', deflateSync(Buffer.alloc(1_000, 'a1b2c3')).subarray(0, 10)),
  encoded('gzip with a wrong sum', 'gzip', withWrongChecksum(gzipSync(object))),
  encoded('gzip of invalid JSON', 'gzip', gzipSync('{"a":')),
  encoded('gzip of gzip', 'gzip', gzipSync(gzipSync(object))),
  encoded('gzip of invalid UTF-8', 'gzip', gzipSync(Buffer.from('7b2261223a22ff227d', 'hex'))),
  encoded('a bomb of gzip', 'gzip', gzipSync(Buffer.alloc(100 * mebibytes, ' '))),
  encoded('a bomb of deflate', 'deflate', deflateSync(Buffer.alloc(100 * mebibytes, ' '))),
  encoded('a bomb of br', 'br', brotliCompressSync(Buffer.alloc(100 * mebibytes, ' '))),
  encoded('a bomb of brackets', 'gzip', gzipSync('['.repeat(4 * mebibytes))),
  encoded('a bomb of names', 'gzip', gzipSync('{"a":'.repeat(mebibytes))),
];

function types(): readonly string[] {
  return [
    ...[
      'text/plain',
      'text/json',
      'application/xml',
      'application/jsonx',
      'application/problem+json',
      'multipart/form-data',
    ],
    ...[
      'application/json, text/plain',
      'application/*',
      '*/*',
      'json',
      '/',
      'application/',
      '/json',
      ';',
      'a/b/c',
      '__proto__',
    ],
    ...[
      'constructor',
      'application/json/',
      'application json',
      'applicaton/json',
      'toString',
      'application/octet-stream',
    ],
  ];
}

function charset(name: string): Record<string, string> {
  return { 'Content-Type': `application/json; charset=${name}` };
}

function encoded(name: string, coding: string, bytes: Uint8Array): BodyForm {
  return { name, fields: { ...json, 'Content-Encoding': coding }, bytes };
}

/** Returns gzip data with a wrong checksum. */
function withWrongChecksum(bytes: Buffer): Buffer {
  const at = bytes.length - 8;
  bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  return bytes;
}
