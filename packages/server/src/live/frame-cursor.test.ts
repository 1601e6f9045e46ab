import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FrameCursor } from './frame-cursor.ts';

function frame(length: number, isMasked: boolean): Buffer {
  const mask = isMasked ? 0x80 : 0;
  const head =
    length < 126
      ? Buffer.from([0x82, mask | length])
      : length < 65_536
        ? Buffer.from([0x82, mask | 126, length >> 8, length & 255])
        : Buffer.from([0x82, mask | 127, 0, 0, 0, 0, 0, length >> 16, (length >> 8) & 255, length & 255]);
  return Buffer.concat([head, Buffer.alloc(isMasked ? 4 : 0, 7), Buffer.alloc(length, 0x81)]);
}

const lengths = fc.oneof(fc.nat(130), fc.constantFrom(125, 126, 127, 65_535, 65_536, 70_000));
const frames = fc.array(fc.record({ length: lengths, isMasked: fc.boolean() }), { minLength: 1, maxLength: 6 });

it('is between frames after each whole frame only, however the bytes are cut', () => {
  fc.assert(
    fc.property(frames, fc.infiniteStream(fc.integer({ min: 1, max: 5_000 })), (given, cuts) => {
      const bytes = Buffer.concat(given.map(({ length, isMasked }) => frame(length, isMasked)));
      const ends = new Set<number>();
      let end = 0;
      for (const { length, isMasked } of given) {
        end += frame(length, isMasked).length;
        ends.add(end);
      }
      const cursor = new FrameCursor();
      for (let at = 0; at < bytes.length; ) {
        const cut = Math.min(at + (cuts.next().value as number), bytes.length);
        expect(cursor.advance(bytes.subarray(at, cut))).toBe(cut - at);
        expect(cursor.isBetweenFrames).toBe(ends.has(cut));
        at = cut;
      }
    }),
    { numRuns: 200 },
  );
});

it('stops at the end of the current frame', () => {
  const [first, second] = [frame(300, true), frame(5, true)];
  const cursor = new FrameCursor();
  cursor.advance(first.subarray(0, 3));
  expect(cursor.advance(Buffer.concat([first.subarray(3), second]), true)).toBe(first.length - 3);
  expect(cursor.isBetweenFrames).toBe(true);
  expect(cursor.advance(second, true)).toBe(0);
});
