import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rewriteStream } from '../json/json-rewriter.ts';
import { createElementRewriter } from './element-rewriter.ts';

const rewrite = (element: unknown) => ({ seen: element });
const rewriteMember = (name: string, value: unknown) => (name.startsWith('@') ? ([name, value] as const) : undefined);

function rewriteIn(pieces: readonly Buffer[]): unknown {
  const rewriter = createElementRewriter({ rewrite, rewriteMember });
  const written = Buffer.concat(pieces.map((piece) => rewriter.write(piece)));
  rewriter.end();
  return JSON.parse(written.toString('utf8'));
}

describe('the objects of an array', () => {
  test('are each rewritten, wherever chunks end', () => {
    const element = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(
        fc.array(element, { maxLength: 5 }),
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        (list, size, isEnvelope) => {
          const given = isEnvelope ? { '@odata.context': '[{"', value: list } : list;
          const bytes = Buffer.from(JSON.stringify(given));
          const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
            bytes.subarray(n * size, (n + 1) * size),
          );
          const rewritten = list.map(rewrite);
          const expected = isEnvelope ? { '@odata.context': '[{"', value: rewritten } : rewritten;
          // JSON turns -0 into 0.
          expect(rewriteIn(pieces)).toEqual(JSON.parse(JSON.stringify(expected)));
        },
      ),
      { numRuns: 300 },
    );
  });

  test('come without members that rewriteMember leaves out', () => {
    const list = '"value":[{"a":1}]';
    const before = '"Secret":[{"b":[1]}],"@odata.count":1';
    for (const given of [`{${before},${list}}`, `{${list},${before}}`, `{"Secret":"x",${list},"@odata.count":1}`]) {
      for (let size = 1; size <= given.length; size++) {
        const pieces = given.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
        const expected = { '@odata.count': 1, value: [{ seen: { a: 1 } }] };
        expect(rewriteIn(pieces.map((piece) => Buffer.from(piece)))).toEqual(expected);
      }
    }
  });

  test('are one where the text is a lone object', () => {
    expect(rewriteIn([Buffer.from('{"@odata.context":"x","a":[{"value"'), Buffer.from(':1}]}')])).toEqual([
      { seen: { '@odata.context': 'x', a: [{ value: 1 }] } },
    ]);
    const { write } = createElementRewriter({ rewrite: () => ({}), rewriteMember });
    expect(() => write(Buffer.from('{"Message":"x"}'))).toThrow(SyntaxError);
  });

  test('are returned as soon as each is complete', () => {
    const { write } = createElementRewriter({ rewrite: () => 1, rewriteMember });
    expect(write(Buffer.from('[{"a":{}}, {"b"')).toString()).toBe('[1');
    expect(write(Buffer.from(':[]}]')).toString()).toBe(',1]');
  });

  test.each(['[{"a":1}', '{"value":[', '[{"a":'])('are incomplete after %s', (piece) => {
    const rewriter = createElementRewriter({ rewrite, rewriteMember });
    rewriter.write(Buffer.from(piece));
    expect(() => rewriter.end()).toThrow(SyntaxError);
  });

  test.each([
    ...['[{a:1}]', '[}', '["secret"]', '[[{"a":1}]]', '[null]', '[{},]', '[]{}', '"x"', '1', '{"value":[],"value":[]}'],
    ...['{"value":[1]}', '{"value":[{}],}', '{"a" 1}'],
  ])('are rejected in %s', (piece) => {
    expect(() => createElementRewriter({ rewrite, rewriteMember }).write(Buffer.from(piece))).toThrow(SyntaxError);
  });

  test('are limited in length', () => {
    const { write } = createElementRewriter({ rewrite, rewriteMember, elementBytesMax: 8 });
    expect(() => write(Buffer.from('[{"a":1},{"a":'))).not.toThrow();
    expect(() => write(Buffer.from('"long enough'))).toThrow(RangeError);
  });

  test('fail a stream that ends within them', async () => {
    const broken = Readable.from([Buffer.from('[{"a":1},')], { objectMode: false });
    const stream = rewriteStream(broken, createElementRewriter({ rewrite, rewriteMember }), 200);
    await expect(text(stream)).rejects.toMatchObject({ code: 'upstream_failed' });
  });
});
