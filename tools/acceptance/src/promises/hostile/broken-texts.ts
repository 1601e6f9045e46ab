import fc from 'fast-check';

/** Returns texts with random insertions and deletions. */
export function brokenTexts(texts: fc.Arbitrary<string>, pieces: readonly string[]): fc.Arbitrary<string> {
  const piece = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...pieces, '') },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
  );
  const edit = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat({ max: 8 }), piece);
  const edited = fc.tuple(texts, fc.array(edit, { minLength: 1, maxLength: 4 })).map(([text, edits]) =>
    edits.reduce((now, [where, removed, added]) => {
      const at = Math.floor(where * (now.length + 1));
      return now.slice(0, at) + added + now.slice(at + removed);
    }, text),
  );
  const soup = fc.array(piece, { maxLength: 20 }).map((parts) => parts.join(''));
  return fc.oneof({ weight: 8, arbitrary: edited }, { weight: 1, arbitrary: soup });
}

/** Returns JSON files with changed values or names, or with broken text. */
export function brokenJsonFiles(files: readonly unknown[]): fc.Arbitrary<string> {
  const value: fc.Arbitrary<unknown> = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom<unknown[]>(...oddValues) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  );
  const change = fc.record({
    where: fc.array(fc.nat(), { maxLength: 5 }),
    how: fc.constantFrom('set', 'rename', 'remove', 'copy'),
    value,
    name: fc.oneof(fc.constantFrom('__proto__', 'constructor', '', 'a', '$schema', '_note', 'path'), fc.string()),
  });
  const whole = fc
    .tuple(fc.constantFrom(...files), fc.array(change, { minLength: 1, maxLength: 3 }), fc.constantFrom(undefined, 2))
    .map(([file, changes, indent]) => JSON.stringify(changes.reduce(applyChange, structuredClone(file)), null, indent));
  const texts = fc.constantFrom(...files.map((file) => JSON.stringify(file, null, 2)));
  return fc.oneof({ weight: 6, arbitrary: whole }, { weight: 3, arbitrary: brokenTexts(texts, pieces) }, fc.json());
}

interface Change {
  readonly where: readonly number[];
  readonly how: string;
  readonly value: unknown;
  readonly name: string;
}

/** Changes the value at the path of the numbers. */
function applyChange(file: unknown, { where, how, value, name }: Change): unknown {
  let holder: unknown = file;
  let key: string | undefined;
  let inner: unknown = file;
  for (const number of where) {
    if (typeof inner !== 'object' || inner === null || Object.keys(inner).length === 0) break;
    holder = inner;
    const keys = Object.keys(inner);
    key = keys[number % keys.length] as string;
    inner = (inner as Record<string, unknown>)[key];
  }
  if (key === undefined) return how === 'set' ? value : file;
  const record = holder as Record<string, unknown>;
  if (how === 'set') define(record, key, value);
  else if (how === 'copy') define(record, Array.isArray(record) ? String(record.length) : name, inner);
  else {
    delete record[key];
    if (how === 'rename' && !Array.isArray(record)) define(record, name, inner);
  }
  // Turns holes in lists into null.
  return JSON.parse(JSON.stringify(file));
}

/** Defines an own property, even `__proto__`. */
function define(record: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(record, key, { value, writable: true, enumerable: true, configurable: true });
}

const oddValues: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    -1,
    1,
    0.5,
    1e308,
    2 ** 53,
    -(2 ** 31),
    65_536,
    '',
    ' ',
    'a',
    '/',
    '/a',
    '/a/{b}',
    '{',
    '}',
  ],
  ...[
    '/{a}/{a}',
    '/a/*',
    '//',
    '/%00',
    '/..',
    '/a?b',
    '\0',
    '\n',
    'GET',
    'TRACE',
    '__proto__',
    'constructor',
    'x'.repeat(5_000),
  ],
  ...[
    'http://',
    'http://a',
    'http://[',
    'file:///etc/passwd',
    '$' + '{A}',
    '$' + '{A:-b}',
    '$' + '{',
    '(a+)+$',
    '[',
    '*',
    '10.0.0.0/99',
  ],
  ...['2030-01-01T00:00:00Z', '2030-13-99', `sha256:${'a'.repeat(64)}`, 'a'.repeat(64), '../../x', '::1', '0.0.0.0'],
  ...[[], {}, [[]], [null], { a: 1 }, Array(200).fill('a'), Object.fromEntries([['__proto__', 1]])],
];

const pieces = [
  ...[
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    '//',
    '/*',
    '\n',
    '\t',
    '\0',
    '\ufeff',
    "'",
    'null',
    'true',
    '1e999',
    '-',
    '0',
  ],
  ...['\\u0000', '\\ud800', '"__proto__":', '"a":', '{}', '[]', '""', '\u2028', '\\u005f', ',"path":"/a"', '"${A}"'],
];
