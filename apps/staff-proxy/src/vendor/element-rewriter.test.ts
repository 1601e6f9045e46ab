import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createElementRewriter, createElementStream } from './element-rewriter.ts';

const rewrite = (element: unknown) => ({ seen: element });

function rewriteIn(pieces: readonly Buffer[]): unknown {
  const rewriter = createElementRewriter({ rewrite });
  const written = Buffer.concat(pieces.map((piece) => rewriter.write(piece)));
  rewriter.end();
  return JSON.parse(written.toString('utf8'));
}

describe('the objects of an array', () => {
  test('are each rewritten, wherever the pieces of it begin and end', () => {
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
          // As it comes back from JSON: -0 is 0 there.
          expect(rewriteIn(pieces)).toEqual(JSON.parse(JSON.stringify(expected)));
        },
      ),
      { numRuns: 300 },
    );
  });

  test('come as soon as each is there', () => {
    const { write } = createElementRewriter({ rewrite: () => 1 });
    expect(write(Buffer.from('[{"a":{}}, {"b"')).toString()).toBe('[1, ');
    expect(write(Buffer.from(':[]}]')).toString()).toBe('1]');
  });

  test.each(['[{"a":1}', '{"value":[', '[{"a":'])('are not taken for complete after %s', (piece) => {
    const rewriter = createElementRewriter({ rewrite });
    rewriter.write(Buffer.from(piece));
    expect(() => rewriter.end()).toThrow(SyntaxError);
  });

  test.each(['[{a:1}]', '[}'])('are none in %s', (piece) => {
    expect(() => createElementRewriter({ rewrite }).write(Buffer.from(piece))).toThrow(SyntaxError);
  });

  test('are bounded each, so that memory is', () => {
    const { write } = createElementRewriter({ rewrite, elementBytesMax: 8 });
    expect(() => write(Buffer.from('[{"a":1},{"a":'))).not.toThrow();
    expect(() => write(Buffer.from('"long enough'))).toThrow(RangeError);
  });

  test('break a stream that ends within them', async () => {
    const stream = createElementStream(createElementRewriter({ rewrite }));
    stream.end('[{"a":1},');
    await expect(text(stream)).rejects.toThrow(SyntaxError);
  });
});
