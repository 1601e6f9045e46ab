import { describe, expect, it } from 'vitest';
import { cutList } from './cut-list.ts';

function cut(text: string, depth: 1 | 2 = 1, { partBytes = 8, partBytesMax = 1_000, chunkBytes = 1_000 } = {}) {
  const bytes = Buffer.from(text);
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) chunks.push(bytes.subarray(at, at + chunkBytes));
  const parts: string[] = [];
  let around: string | undefined;
  const cutting = cutList(chunks, { depth, partBytes, partBytesMax });
  for (let next = cutting.next(); ; next = cutting.next()) {
    if (next.done) return { parts, around, isWhole: next.value };
    if (next.value?.kind === 'elements') parts.push(next.value.bytes.toString());
    else if (next.value !== undefined) around = next.value.bytes.toString();
  }
}

describe('cutList', () => {
  it('cuts only between elements', () => {
    const text = '[{"a":[1,2,3,4,5]},{"b":"],[{\\",}"},{"c":{}},4, "five,five" ]';
    expect(cut(text)).toEqual({
      parts: ['{"a":[1,2,3,4,5]}', '{"b":"],[{\\",}"}', '{"c":{}}', '4, "five,five" '],
      around: '[]',
      isWhole: true,
    });
  });

  it('cuts the list of an envelope, and returns the rest with an empty list', () => {
    const text = '{"@odata.count":3,"value":[{"a":"xxxxxxxx"},{"b":2}],"@odata.nextLink":"?$skip=[2]"}';
    expect(cut(text, 2)).toEqual({
      parts: ['{"a":"xxxxxxxx"}', '{"b":2}'],
      around: '{"@odata.count":3,"value":[],"@odata.nextLink":"?$skip=[2]"}',
      isWhole: true,
    });
  });

  it('cuts the same wherever chunks end', () => {
    const text = JSON.stringify(
      Array.from({ length: 20 }, (_, i) => ({ name: `é"\\[,]{}${'x'.repeat(i)}`, list: [i, [i]] })),
    );
    const whole = cut(text);
    expect(whole.parts.flatMap((part) => JSON.parse(`[${part}]`))).toEqual(JSON.parse(text));
    for (let chunkBytes = 1; chunkBytes < 40; chunkBytes++) expect(cut(text, 1, { chunkBytes })).toEqual(whole);
  });

  it('returns invalid text around the list', () => {
    expect(cut('[1,2] x').around).toBe('[] x');
    expect(cut('[1,2').around).toBe('[');
    expect(cut('{"a":[1]}').around).toBe('{"a":[1]}');
  });

  it('stops at too long a part, before it reads the rest', () => {
    const text = `["${'x'.repeat(100)}"`;
    expect(cut(text, 1, { partBytesMax: 50, chunkBytes: 10 })).toMatchObject({ parts: [], isWhole: false });
    expect(cut(`${' '.repeat(100)}[]`, 1, { partBytesMax: 50, chunkBytes: 10 })).toMatchObject({ isWhole: false });
  });
});
