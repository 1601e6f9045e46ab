/** Byte sequences that are not UTF-8 (RFC 3629), in hexadecimal. */
const notUtf8: Readonly<Record<string, string>> = {
  'a continuation alone': '80',
  'two continuations': 'bfbf',
  'a start alone': 'c3',
  'half of three bytes': 'e282',
  'three of four bytes': 'f09f98',
  'an overlong slash': 'c0af',
  'an overlong slash of three bytes': 'e080af',
  'an overlong NUL': 'c080',
  'a high surrogate': 'eda080',
  'a low surrogate': 'edbfbf',
  'a pair of surrogates': 'eda0bdedb880',
  'more than U+10FFFF': 'f4908080',
  'five bytes': 'f888808080',
  'a byte that is never there': 'ff',
  'another that is never there': 'fe',
  'a letter of Latin-1': 'e9',
};

const sample = '{"StaffId":"x","Fte":0.5,"IsActive":true,"Tags":[{"n":null}]}';

/** Invalid JSON (RFC 8259), by its fault: text, or bytes that are not text. */
export const brokenJson: Readonly<Record<string, string | Uint8Array>> = {
  ...named('a value', [
    ...[
      'tru',
      'True',
      'NULL',
      'nul',
      'falsey',
      'undefined',
      'NaN',
      'Infinity',
      '-Infinity',
      'None',
      'a',
      '*',
      '<null>',
    ],
    ...['@', '\\u0061', '\\', "'a'", '`a`', '"a', 'a"', '“a”', 'é', '☃', 'new Date()', '/a/', '$', '0x', 'b"a"'],
  ]),
  ...named('a number', [
    ...['01', '-01', '00', '-', '+', '+1', '--1', '1.', '.1', '-.1', '-1.', '1..2', '1.2.3', '0.e1', '0e', '0e+', '0E'],
    ...['1e', '1e+', '1e-', '1eE2', '1e1.5', '1.e3', '2.e+3', '0x1F', '0o17', '0b1', '1_000', '1,000', '1 000', '１'],
    ...['1f', '1n', '1L', '- 1', '-a', '1a', '9.3e+', '++1', '-Inf', '1/2', '٣', '-٣', '012', '-012', '0.1.2', '1e１'],
  ]),
  ...named('an escape', [
    ...[
      '"\\x41"',
      '"\\a"',
      '"\\\'"',
      '"\\0"',
      '"\\08"',
      '"\\u"',
      '"\\u1"',
      '"\\u12"',
      '"\\u123"',
      '"\\u123g"',
      '"\\U0041"',
    ],
    ...[
      '"\\u{41}"',
      '"\\ud83d\\u"',
      '"\\ud83d\\uDE0"',
      '"\\"',
      '"\\\\\\"',
      '"\\é"',
      '"\\ "',
      '"\\\n"',
      '"\\v"',
      '"\\u00A"',
    ],
  ]),
  ...named(
    'a raw control character',
    Array.from({ length: 0x20 }, (_, code) => `"a${String.fromCharCode(code)}b"`),
  ),
  ...named('a list', [
    ...['[', ']', '[1', '[1,', '[,]', '[1,]', '[,1]', '[1,,2]', '[1 2]', '[1:2]', '["a" "b"]', '[1}', '[}', '[1]]'],
    ...['[[1]', '[1]x', '[1],', ',[1]', '[1];', '[*]', '[1,\n', '["a', '["a"', '[\n1\n,', '[...]', '(1)', '[1\0]'],
  ]),
  ...named('an object', [
    ...['{', '}', '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a":1,}', '{,}', '{,"a":1}', '{"a":1,,"b":2}', '{"a" 1}'],
    ...['{a:1}', "{'a':1}", '{1:1}', '{null:1}', '{"a":1 "b":2}', '{"a":1;"b":2}', '{"a"::1}', '{"a"=1}', '{"a":1]'],
    ...[
      '{"a":}',
      '{:1}',
      '{"a":1}}',
      '{"a":1}{}',
      '{"a":1}#',
      '{"a":1}//',
      '{[1]:1}',
      '{"a","b"}',
      '{"a":"b"',
      '{...{}}',
    ],
  ]),
  ...named('what is beside it', [
    ...['{}/*a*/', '/*a*/{}', '//a\n{}', '#a\n{}', '{"a":/*b*/1}', '{}\0', '\0{}', '{} {}', '{}{}', '1 2', 'null null'],
    ...[
      '\u00a0{}',
      '{}\u00a0',
      '\u2028{}',
      '\u2060{}',
      '\v{}',
      '\f{}',
      '\x85{}',
      '\u180e{}',
      ")]}',\n{}",
      '--a\r\n\r\n{}',
    ],
    ...[
      '&a=1',
      'a=1&b=2',
      '<a/>',
      '---\na: 1',
      '{}\u0004',
      '\u001e{}',
      'callback({})',
      '{}]',
      '"a"b',
      '1e5x',
      '\u00ad1',
    ],
  ]),
  ...named(
    'a value cut short',
    Array.from({ length: sample.length - 1 }, (_, i) => sample.slice(0, i + 1)),
  ),
  'nothing but spaces': '   \r\n\t ',
  'a list nested without an end': '['.repeat(100_000),
  'an object nested without an end': '{"a":'.repeat(100_000),
  'lists and objects nested without an end': '[{"a":'.repeat(50_000),
  'brackets that close nothing': ']'.repeat(100_000),
  'a text without an end': `"${'a'.repeat(1_000_000)}`,
  'a number that does not end well': `${'1'.repeat(100_000)}.`,
  'commas alone': `[${','.repeat(100_000)}]`,
  'backslashes without an end': `"${'\\'.repeat(100_001)}"`,
  ...Object.fromEntries(
    Object.entries(notUtf8).map(([name, bytes]) => [
      `a text with ${name}`,
      Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes, 'hex'), Buffer.from('"}')]),
    ]),
  ),
  'UTF-16LE': Buffer.from('{"a":"b"}', 'utf16le'),
  'UTF-16LE with its mark': Buffer.from('\ufeff{"a":"b"}', 'utf16le'),
  'UTF-16BE with its mark': Buffer.from('\ufeff{"a":"b"}', 'utf16le').swap16(),
  'UTF-32LE': Buffer.from([...'{"a":1}'].flatMap((one) => [one.charCodeAt(0), 0, 0, 0])),
  'half of a byte order mark': Buffer.from('efbb7b7d', 'hex'),
  'two byte order marks': '\ufeff\ufeff{}',
};

/** Valid JSON that a server may accept or reject. */
export const trickyJson: Readonly<Record<string, string | Uint8Array>> = {
  ...named('a number', [
    ...['1e400', '-1e400', '1e-400', '9'.repeat(400), `0.${'3'.repeat(5_000)}`, '123123e100000', '-0', '0e1', '1E+2'],
    ...['9007199254740993', '-9223372036854775809', '1e1000000000', '0.0000000000000000000000000000000000000000001'],
  ]),
  ...named('a text', [
    ...[
      '"\\ud800"',
      '"\\udc00"',
      '"\\ud800\\ud800"',
      '"\\udc00\\ud800"',
      '"\\uDEAD!"',
      '"\\ud83d\\ude00"',
      '"\\u0000"',
    ],
    ...[
      '"\\ufeff"',
      '"\\uffff"',
      '"\\u2028\\u2029"',
      '"\\u007f"',
      '"\u007f"',
      '"\u2028"',
      '"\u202e"',
      '"\\/"',
      '"\ufdd0"',
    ],
  ]),
  ...named('repeated names', [
    ...['{"a":1,"a":2}', '{"a":1,"\\u0061":2}', '{"StaffId":"a","StaffId":"b"}', '{"a":{"b":1,"b":2}}', '{"":1,"":2}'],
  ]),
  ...named('names of prototypes', [
    ...['{"__proto__":{"a":1}}', '{"__proto__":null}', '{"constructor":{"prototype":{"a":1}}}', '{"prototype":1}'],
    ...['{"toString":1}', '{"hasOwnProperty":1}', '{"a":{"__proto__":{"b":1}}}', '[{"__proto__":[]}]', '{"then":1}'],
    ...['{"__defineGetter__":1}', '{"valueOf":{}}', '{"length":1e9}', '{"toJSON":1}', '{"\\u005f_proto__":{"a":1}}'],
  ]),
  'a byte order mark': '\ufeff{"a":1}',
  'nested 90 levels deep': `${'['.repeat(90)}1${']'.repeat(90)}`,
  'nested 5,000 levels deep': `${'['.repeat(5_000)}1${']'.repeat(5_000)}`,
  'objects nested 5,000 levels deep': `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  'nested 100,000 levels deep': `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  'a list of 200,000': `[${'0,'.repeat(199_999)}0]`,
  'a list of 50,000 objects': `[${'{},'.repeat(49_999)}{}]`,
  'an object of 20,000 names': `{${Array.from({ length: 20_000 }, (_, i) => `"a${i}":${i}`).join(',')}}`,
  'an object of 20,000 names that are numbers': `{${Array.from({ length: 20_000 }, (_, i) => `"${i * 97}":0`).join(',')}}`,
  'the same name 20,000 times': `{${'"a":1,'.repeat(19_999)}"a":1}`,
  'a long name': `{"${'a'.repeat(100_000)}":1}`,
  'a long text': `"${'é'.repeat(100_000)}"`,
  'a text of escapes': `"${'\\u0041'.repeat(50_000)}"`,
  'spaces around it': `${' '.repeat(100_000)}{}${'\n'.repeat(100_000)}`,
};

/** Returns the text as a whole body, as a member and as an item, because a fault may show in one of them only. */
export function placesOf(text: string | Uint8Array): readonly Uint8Array[] {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const around = (before: string, after: string) => Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]);
  return [bytes, around('{"StaffId":', '}'), around('{"list":[0,', ']}')];
}

function named(what: string, texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(texts.map((text) => [`${what}: ${JSON.stringify(text)}`, text]));
}
