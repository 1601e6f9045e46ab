import { runSteps } from '@rostergate/server/steps';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfigError } from './config-error.ts';
import { type JsonFile, type JsonPath, parseJsonFile, parseJsonFileSteps } from './json-file.ts';

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
  it('returns the same value as JSON.parse for any JSON', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.constantFrom(undefined, 2), (text, indent) => {
        const value = JSON.parse(text);
        expect(read(JSON.stringify(value, null, indent)).value).toEqual(value);
      }),
    );
  });

  it.each([
    ['a comment', '{\n  // hello\n  "a": 1 }', 2, 3, 'JSON has no comments'],
    ['a trailing comma', '{\n  "a": 1,\n}', 2, 9, 'Remove this comma'],
    ['a trailing comma in a list', '[1,\n]', 1, 3, 'Remove this comma'],
    ['a missing closing brace', '[\n  { "a": 1\n]', 2, 11, 'A closing } is missing here'],
    ['a missing closing bracket', '{ "a": [1, 2 }', 1, 13, 'A closing ] is missing here'],
    ['two commas', '[1,,2]', 1, 4, 'A value is expected'],
    ['a missing comma', '{ "a": 1 "b": 2 }', 1, 9, 'A comma is missing here'],
    ['a missing comma at the end of a line', '{\n  "a": "x"\n\n  "b": 2\n}', 2, 11, 'A comma is missing here'],
    ['a missing comma between objects', '[\n  { "a": 1 }\r\n  { "a": 2 }\n]', 2, 13, 'A comma is missing here'],
    ['single quotes', "{ 'a': 1 }", 1, 3, 'double quotes'],
    ['a truncated file', '{ "a": [1, 2', 1, 13, 'truncated'],
    ['a file truncated in a string', '{ "a": "b', 1, 8, 'no closing quote'],
    ['an empty file', '  \n', 1, 1, 'write at least {}'],
    ['a byte order mark', '\uFEFF{}', 1, 1, 'byte order mark'],
    ['text after the value', '{} {}', 1, 4, 'Nothing may follow'],
    ['a tab in a string', '{ "a": "x\ty" }', 1, 8, 'raw control character'],
    ['a repeated name', '{ "a": 1,\n  "b": { "c": 1, "c": 2 } }', 2, 18, 'This name is repeated'],
    ['a repeated name, written differently', '{ "a": 1, "\\u0061": 2 }', 1, 11, 'This name is repeated'],
    ['nesting without end', '['.repeat(200) + ']'.repeat(200), 1, 1, 'nested more than'],
  ])('reports the place of %s', (_case, text, line, column, detail) => {
    expect(faultOf(text)).toMatchObject({ place: { file: 'a.json', line, column } });
    expect(faultOf(text)?.detail).toContain(detail);
  });

  it('rejects a file of a million brackets', () => {
    expect(faultOf('['.repeat(1_000_000))?.detail).toContain('nested more than');
    expect(faultOf('['.repeat(10_000))?.detail).toBe('This is not JSON.');
  });

  it('never quotes the file', () => {
    for (const text of ['{"api_keys": hush}', '{"api_keys": "hush\n"}', '"hush" "hush"', '{"hush']) {
      expect(JSON.stringify(faultOf(text))).not.toContain('hush');
    }
  });

  it('reads text that looks like a name as text', () => {
    expect(read('{ "a": "b\\":c", "d": "\\"a\\": 1" }').value).toEqual({ a: 'b":c', d: '"a": 1' });
  });

  it('treats __proto__ as an ordinary name', () => {
    expect(Object.keys(read('{ "__proto__": 1 }').value as object)).toEqual(['__proto__']);
  });
});

describe('parseJsonFileSteps', () => {
  const outcomeOf = (text: string, lengthMax: number) => {
    try {
      const file = runSteps(parseJsonFileSteps(text, 'a.json', lengthMax));
      return {
        value: JSON.stringify(file.value),
        places: pointersOf(file.value).map((steps) => placesOf(file, steps)),
      };
    } catch (error) {
      if (error instanceof ConfigError) return error.faults;
      throw error;
    }
  };
  const placesOf = (file: JsonFile, steps: JsonPath) => [
    file.locate(steps),
    file.locate(steps, 'key'),
    file.locate([...steps, 'absent']),
    file.locate([...steps, 0]),
  ];
  const expectSame = (text: string, lengthMax: number) => {
    expect(outcomeOf(text, lengthMax)).toEqual(outcomeOf(text, 1e9));
  };
  const lengthMax = fc.integer({ min: 1, max: 40 });
  // Once V8 14.6 has parsed the name "a\\", JSON.parse may return "a\"" for it, depending on what it parsed before.
  const hasNoBackslash = (json: string) => !json.includes('\\\\');
  const text = fc
    .tuple(fc.json({ maxDepth: 5 }), fc.constantFrom(undefined, 2))
    .map(([json, indent]) => JSON.stringify(JSON.parse(json), null, indent))
    .filter(hasNoBackslash);

  it('returns the same value and places for any size of pieces', () => {
    fc.assert(fc.property(text, lengthMax, expectSame));
  });

  it('reports the same fault for any size of pieces', () => {
    const spoilt = fc
      .tuple(
        text,
        fc.nat(),
        fc.nat({ max: 3 }),
        fc.constantFrom('', ',', '"', '{', ']', '}', ':', '\n', '\\', '1', 'x', '//'),
      )
      .map(([json, at, cut, put]) => {
        const place = at % (json.length + 1);
        return json.slice(0, place) + put + json.slice(place + cut);
      })
      .filter(hasNoBackslash);
    fc.assert(fc.property(spoilt, lengthMax, expectSame), { numRuns: 2_000 });
  });

  it('finds a fault in a large file without parsing all of it', () => {
    const entry = '{ "path": "/a" },\n';
    const large = `{ "list": [\n${entry.repeat(50_000)}{ "path" "/b" },\n${entry.repeat(50_000)}] }`;
    expect(faultOf(large)).toMatchObject({
      place: { line: 50_002, column: 10 },
      detail: expect.stringContaining('colon'),
    });
  });

  it('pauses after each member', () => {
    const large = JSON.stringify({ list: Array.from({ length: 10_000 }, (_, i) => ({ path: `/things/${i}` })) });
    let pauses = 0;
    for (const _ of parseJsonFileSteps(large, 'a.json')) pauses++;
    expect(pauses).toBeGreaterThan(10_000);
  });
});

/** Returns the paths of a value and of all values in it. */
function pointersOf(value: unknown): JsonPath[] {
  if (typeof value !== 'object' || value === null) return [[]];
  const isList = Array.isArray(value);
  const inner = Object.entries(value).flatMap(([key, member]) =>
    pointersOf(member).map((rest) => [isList ? Number(key) : key, ...rest]),
  );
  return [[], ...inner];
}

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

  it('finds the name of a value by pointer or path', () => {
    expect([at('/list/0/path', 'key'), at(['list', 0, 'path'], 'key')]).toEqual(['3:7', '3:7']);
  });
});
