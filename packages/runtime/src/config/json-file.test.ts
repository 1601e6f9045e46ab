import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfigError } from './config-error.ts';
import { parseJsonFile } from './json-file.ts';

const read = (text: string) => parseJsonFile(text, 'a.json');

function faultOf(text: string) {
  try {
    read(text);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults[0];
    throw error;
  }
  return undefined;
}

describe('parseJsonFile', () => {
  it('gives what JSON.parse gives, for any JSON', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.constantFrom(undefined, 2), (text, indent) => {
        const value = JSON.parse(text);
        expect(read(JSON.stringify(value, null, indent)).value).toEqual(value);
      }),
    );
  });

  it.each([
    ['a comment', '{\n  // hello\n  "a": 1 }', 2, 3, 'JSON has no comments'],
    ['a trailing comma', '{\n  "a": 1,\n}', 3, 1, 'the last entry has no comma'],
    ['a trailing comma in a list', '[1,\n]', 2, 1, 'the last entry has no comma'],
    ['a missing comma', '{ "a": 1 "b": 2 }', 1, 10, 'A comma is expected'],
    ['single quotes', "{ 'a': 1 }", 1, 3, 'double quotes'],
    ['a file cut short', '{ "a": [1, 2', 1, 13, 'cut short'],
    ['a file cut short inside text', '{ "a": "b', 1, 8, 'no closing quote'],
    ['an empty file', '  \n', 1, 1, 'write at least {}'],
    ['a byte order mark', '\uFEFF{}', 1, 1, 'byte order mark'],
    ['something after the value', '{} {}', 1, 4, 'Nothing may follow'],
    ['a tab inside text', '{ "a": "x\ty" }', 1, 8, 'raw control character'],
    ['a repeated name', '{ "a": 1,\n  "b": { "c": 1, "c": 2 } }', 2, 18, 'given twice'],
    ['a repeated name, written differently', '{ "a": 1, "\\u0061": 2 }', 1, 11, 'given twice'],
    ['nesting without end', '['.repeat(200) + ']'.repeat(200), 1, 1, 'nested more than'],
  ])('names the place of %s', (_case, text, line, column, detail) => {
    expect(faultOf(text)).toMatchObject({ place: { file: 'a.json', line, column } });
    expect(faultOf(text)?.detail).toContain(detail);
  });

  it('survives a file of nothing but brackets', () => {
    expect(faultOf('['.repeat(1_000_000))?.detail).toBe('This is not JSON.');
  });

  it('never quotes the file', () => {
    for (const text of ['{"api_keys": hush}', '{"api_keys": "hush\n"}', '"hush" "hush"', '{"hush']) {
      expect(JSON.stringify(faultOf(text))).not.toContain('hush');
    }
  });

  it('takes text that looks like a name for text', () => {
    expect(read('{ "a": "b\\":c", "d": "\\"a\\": 1" }').value).toEqual({ a: 'b":c', d: '"a": 1' });
  });

  it('keeps __proto__ an ordinary name', () => {
    expect(Object.keys(read('{ "__proto__": 1 }').value as object)).toEqual(['__proto__']);
  });
});

describe('locate', () => {
  const file = read('{\n  "list": [\n    { "path": "/a" },\n    { "1": true, "a/b": 2 }\n  ]\n}');
  const at = (...args: Parameters<typeof file.locate>) => {
    const { line, column } = file.locate(...args);
    return `${line}:${column}`;
  };

  it.each([
    ['a value', '/list/0/path', '3:15'],
    ['a list', '/list', '2:11'],
    ['a number as a name', '/list/1/1', '4:12'],
    ['an escaped name', '/list/1/a~1b', '4:25'],
    ['the whole', '', '1:1'],
    ['the object that lacks a name', '/list/0/method', '3:5'],
    ['the list that lacks an entry', '/list/7/path', '2:3'],
  ])('finds %s', (_case, pointer, place) => {
    expect(at(pointer)).toBe(place);
  });

  it('finds the name of a value too, by pointer or path', () => {
    expect([at('/list/0/path', 'key'), at(['list', 0, 'path'], 'key')]).toEqual(['3:7', '3:7']);
  });
});
