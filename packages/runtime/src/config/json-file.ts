import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode, visit } from 'jsonc-parser';
import { ConfigError, type ConfigFault, faultAt, fieldName, type Place } from './config-error.ts';

export type JsonPath = readonly (string | number)[];

/** A parsed JSON file that still knows where everything stands. */
export interface JsonFile {
  readonly path: string;
  readonly value: unknown;
  /**
   * Where the value at a JSON pointer (RFC 6901) or path stands, or with `key` the name before it; of something
   * absent, the nearest thing around it.
   */
  locate(pointer: string | JsonPath, part?: 'key' | 'value'): Place;
}

const depthMax = 100;

/**
 * Reads strict JSON (RFC 8259): comments, trailing commas, repeated names and a byte order mark are faults.
 * Positions are worked out only when asked for, so that a good file costs little more than JSON.parse.
 * @throws ConfigError with file, line and column.
 */
export function parseJsonFile(text: string, path: string): JsonFile {
  const placeOf = (offset: number): Place => ({ file: path, ...positionOf(text, offset) });
  if (text.startsWith('\uFEFF')) {
    throw new ConfigError([faultAt(placeOf(0), '', 'It begins with a byte order mark; save it as UTF-8 without one.')]);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const { offset, detail } = describeSyntax(text, error as SyntaxError);
    throw new ConfigError([faultAt(placeOf(offset), '', detail)]);
  }
  const keyCount = countKeys(value, 0);
  if (keyCount === undefined) {
    throw new ConfigError([faultAt(placeOf(0), '', `It is nested more than ${depthMax} levels deep.`)]);
  }
  // Text between quotes can look like a name too, so only more names than keys make the exact search worth its time.
  if ((text.match(/"[ \t\r\n]*:/g)?.length ?? 0) > keyCount) {
    const repeated = findRepeatedNames(text, placeOf);
    if (repeated.length > 0) throw new ConfigError(repeated);
  }
  let tree: Node | undefined;
  return {
    path,
    value,
    locate(pointer, part = 'value') {
      tree ??= parseTree(text);
      const steps = typeof pointer === 'string' ? parsePointer(pointer, value) : pointer;
      return placeOf(tree === undefined ? 0 : offsetOf(tree, steps, part));
    },
  };
}

function offsetOf(tree: Node, steps: JsonPath, part: 'key' | 'value'): number {
  for (let length = steps.length; length > 0; length--) {
    const node = findNodeAtLocation(tree, [...steps.slice(0, length)]);
    if (node === undefined) continue;
    const isNamed = node.parent?.type === 'property' && (part === 'key' || length < steps.length);
    return isNamed ? (node.parent?.offset ?? node.offset) : node.offset;
  }
  return tree.offset;
}

function parsePointer(pointer: string, value: unknown): JsonPath {
  let current = value;
  return pointer
    .split('/')
    .slice(1)
    .map((step) => {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
      const key = Array.isArray(current) ? Number(name) : name;
      current = (current as Record<string, unknown> | null | undefined)?.[name];
      return key;
    });
}

function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - lineStart + 1 };
}

/** How many names the objects of a value have; undefined when it is nested too deeply. */
function countKeys(value: unknown, depth: number): number | undefined {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth >= depthMax) return undefined;
  const children = Object.values(value);
  let count = Array.isArray(value) ? 0 : children.length;
  for (const child of children) {
    const inside = countKeys(child, depth + 1);
    if (inside === undefined) return undefined;
    count += inside;
  }
  return count;
}

function findRepeatedNames(text: string, placeOf: (offset: number) => Place): ConfigFault[] {
  const faults: ConfigFault[] = [];
  const names: Set<string>[] = [];
  visit(text, {
    onObjectBegin: () => void names.push(new Set()),
    onObjectEnd: () => void names.pop(),
    onObjectProperty: (name, offset, _length, _line, _character, pathTo) => {
      const seen = names.at(-1);
      if (seen?.has(name)) {
        faults.push(faultAt(placeOf(offset), fieldName([...pathTo(), name]), 'It is given twice; keep one.'));
      }
      seen?.add(name);
    },
  });
  return faults;
}

function describeSyntax(text: string, error: SyntaxError): { offset: number; detail: string } {
  if (text.trim() === '') return { offset: 0, detail: 'It is empty; write at least {}.' };
  const first = firstSyntaxError(text);
  if (first !== undefined) {
    return { offset: first.offset, detail: syntaxDetails[printParseErrorCode(first.error)] ?? 'This is not JSON.' };
  }
  // The parser's own message would quote the file, which may hold keys.
  const offset = /at position (\d+)/.exec(error.message)?.[1];
  return { offset: offset === undefined ? text.length : Number(offset), detail: 'This is not JSON.' };
}

function firstSyntaxError(text: string): ParseError | undefined {
  const errors: ParseError[] = [];
  try {
    parseTree(text, errors, { disallowComments: true });
  } catch (error) {
    // The tree parser calls itself for each level, and somebody may have nested a million.
    if (!(error instanceof RangeError)) throw error;
  }
  return errors.sort((a, b) => a.offset - b.offset)[0];
}

const syntaxDetails: Readonly<Record<string, string>> = {
  InvalidSymbol: 'This is not a JSON value; names and text stand in double quotes.',
  InvalidNumberFormat: 'This is not a JSON number.',
  PropertyNameExpected: 'A name in double quotes is expected here; the last entry has no comma after it.',
  ValueExpected: 'A value is expected here; the last entry has no comma after it.',
  ColonExpected: 'A colon is expected here, between name and value.',
  CommaExpected: 'A comma is expected here, between two entries.',
  CloseBraceExpected: 'A closing } is expected here; the file may have been cut short.',
  CloseBracketExpected: 'A closing ] is expected here; the file may have been cut short.',
  EndOfFileExpected: 'Nothing may follow the first value.',
  InvalidCommentToken: 'JSON has no comments; a name that begins with _ may hold one.',
  UnexpectedEndOfComment: 'JSON has no comments; a name that begins with _ may hold one.',
  UnexpectedEndOfString: 'This text has no closing quote.',
  InvalidUnicode: 'This \\u escape is not complete.',
  InvalidEscapeCharacter: 'There is no such escape; a backslash is written \\\\.',
  InvalidCharacter: 'Text cannot hold a raw control character; write \\n or \\t.',
};
