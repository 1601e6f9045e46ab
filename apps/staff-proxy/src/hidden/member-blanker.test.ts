import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMemberBlanker, type MemberBlankerOptions } from './member-blanker.ts';

const names = new Set(['tags', 'skillset', 'tasktagkey']);

function blank(
  text: string | Buffer,
  size = Number.POSITIVE_INFINITY,
  options: Partial<MemberBlankerOptions> = {},
): string {
  const { write, end } = createMemberBlanker({ names, ...options });
  const bytes = Buffer.from(text);
  const left: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) left.push(Buffer.from(write(bytes.subarray(at, at + size))));
  end();
  return Buffer.concat(left).toString('utf8');
}

test.each([
  ['[{"a":1,"Tags":[{"x":"]"}],"b":[2]}]', '[{"a":1,"Tags":[],"b":[2]}]'],
  ['{"Tags": null , "b":1}', '{"Tags": null , "b":1}'],
  ['{"Tags" :\n [1,2] }', '{"Tags" :\n [] }'],
  ['{"Tags":{"a":"}"},"TaskTagKey":12}', '{"Tags":null,"TaskTagKey":null}'],
  ['{"Tags":"a\\"b","TaskTagKey":-1.5e3,"b":true}', '{"Tags":null,"TaskTagKey":null,"b":true}'],
  ['{"TAGS":[1],"tagS":[1]}', '{"TAGS":[],"tagS":[]}'],
  ['{"T\\u0061gs":[1],"\\u0054\\u0061\\u0067\\u0073":["x"]}', '{"T\\u0061gs":[],"\\u0054\\u0061\\u0067\\u0073":[]}'],
  ['{"Tags@odata.count":3,"Tags@odata.nextLink":"x"}', '{"Tags@odata.count":null,"Tags@odata.nextLink":null}'],
  ['{"a":"Tags","Tag":[1],"Tagss":[2],"xTags":[3]}', '{"a":"Tags","Tag":[1],"Tagss":[2],"xTags":[3]}'],
  ['{"a":"\\"Tags\\":[1]","b\\"Tags":[1]}', '{"a":"\\"Tags\\":[1]","b\\"Tags":[1]}'],
  ['["Tags",["Tags"],{"Tags":nullish}]', '["Tags",["Tags"],{"Tags":null}]'],
  ['{"value":[{"Location":{"Tags":[[{}]]},"é":"ü"}]}', '{"value":[{"Location":{"Tags":[]},"é":"ü"}]}'],
])('turns %s into %s, wherever its chunks end', (text, expected) => {
  for (let size = 1; size <= Buffer.byteLength(text); size++) expect(blank(text, size)).toBe(expected);
});

test.each([
  ['[{"Name":"x"}] ', '[] '],
  [' {"Name":["x"]}', ' {}'],
  ['[]', '[]'],
])('turns %s, hidden as a whole, into %s', (text, expected) => {
  for (let size = 1; size <= text.length; size++) expect(blank(text, size, { isWhole: true })).toBe(expected);
});

describe('rejects text that is not JSON in UTF-8', () => {
  test.each(['{Tags:[1]}', "{'Tags':[1]}", '{"a"/**/:1}', '{"Tags":}', '{"Tags":[1', '{"a', '{"a":1:2}'])(
    '%s',
    (text) => {
      for (let size = 1; size <= text.length; size++) expect(() => blank(text, size)).toThrow(SyntaxError);
    },
  );

  test.each(['[] {"Name":1}', '"x"', '12', 'null,1', '[]x'])('%s, with the whole text hidden', (text) => {
    expect(() => blank(text, 1, { isWhole: true })).toThrow(SyntaxError);
  });

  test('in another encoding', () => {
    expect(() => blank(Buffer.from('[{"Tags":[1]}]', 'utf16le'))).toThrow(SyntaxError);
  });
});

test('blanks the same members as a parser, and keeps all other bytes', () => {
  const key = fc.oneof(
    fc.constantFrom('Tags', 'tags', 'Skillset', 'TaskTagKey', 'Tags@odata.count', 'Tag'),
    fc.string(),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.oneof(fc.string(), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null)),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 5, noNullPrototype: true }),
    ),
  }));
  const hides = (name: string) => names.has((name.split('@', 1)[0] ?? '').toLowerCase());
  const emptied = (given: unknown): unknown => {
    if (Array.isArray(given)) return given.map(emptied);
    if (typeof given !== 'object' || given === null) return given;
    const members = Object.entries(given);
    return Object.fromEntries(
      members.map(([name, one]) => [name, hides(name) ? (Array.isArray(one) ? [] : null) : emptied(one)]),
    );
  };
  fc.assert(
    fc.property(value, fc.integer({ min: 1, max: 40 }), fc.constantFrom(0, 2), (given, size, indent) => {
      expect(blank(JSON.stringify(given, null, indent), size)).toBe(
        // An empty array or object takes no lines.
        JSON.stringify(emptied(JSON.parse(JSON.stringify(given))), null, indent),
      );
    }),
    { numRuns: 500 },
  );
});

test('holds only the beginning of a name between chunks', () => {
  const { write, end } = createMemberBlanker({ names });
  const piece = Buffer.from('{"x":"y"},'.repeat(6_000));
  let left = write(Buffer.from('{"Tags":[')).length;
  for (let i = 0; i < 64; i++) left += write(piece).length;
  left += write(Buffer.from('0],"b":1}')).length;
  end();
  expect(left).toBe('{"Tags":[],"b":1}'.length);
});
