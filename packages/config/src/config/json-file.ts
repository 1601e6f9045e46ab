import { runSteps, type Steps } from '@rostergate/server/steps';
import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { ConfigError, faultAt, fieldName, type Place } from './config-error.ts';
import { type Entry, JsonSyntaxError, type ReadJson, type Region, readJsonSteps } from './read-json.ts';

export type JsonPath = readonly (string | number)[];

/** A parsed JSON file and the positions of its values. */
export interface JsonFile {
  readonly path: string;
  readonly value: unknown;
  /**
   * Returns the position of the value at a JSON pointer (RFC 6901) or path, or with `key` of its name; for an absent
   * value, of the nearest one that contains it.
   */
  locate(pointer: string | readonly PropertyKey[], part?: 'key' | 'value'): Place;
}

const depthMax = 100;

/**
 * Parses strict JSON (RFC 8259): comments, trailing commas, repeated names and a byte order mark are faults.
 * Positions are found on demand, so that a valid file costs little more than JSON.parse.
 * @throws ConfigError with file, line and column.
 */
export function parseJsonFile(text: string, path: string): JsonFile {
  return runSteps(parseJsonFileSteps(text, path));
}

/** Does the same in steps: it parses a value longer than `lengthMax` characters member by member. */
export function* parseJsonFileSteps(text: string, path: string, lengthMax = 65_536): Steps<JsonFile> {
  const positionOf = createLineIndex(text);
  const placeOf = (offset: number): Place => ({ file: path, ...positionOf(offset) });
  if (text.startsWith('\uFEFF')) {
    throw new ConfigError([
      faultAt(placeOf(0), '', 'The file begins with a byte order mark: save it as UTF-8 without one.'),
    ]);
  }
  let read: ReadJson;
  try {
    read = yield* readJsonSteps(text, { lengthMax, depthMax });
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const { offset, detail } = describeSyntax(text, error.entry, error.parserMessage);
    throw new ConfigError([faultAt(placeOf(offset), '', detail)]);
  }
  const { value, region, repeated, isTooDeep } = read;
  if (isTooDeep) {
    throw new ConfigError([faultAt(placeOf(0), '', `The file is nested more than ${depthMax} levels deep.`)]);
  }
  if (repeated.length > 0) {
    throw new ConfigError(
      repeated.map(({ offset, path: name }) =>
        faultAt(placeOf(offset), fieldName(name), 'This name is repeated: remove one of the two.'),
      ),
    );
  }
  const trees = new WeakMap<Region, Node>();
  return {
    path,
    value,
    locate(pointer, part = 'value') {
      const steps = typeof pointer === 'string' ? parsePointer(pointer, value) : pointer.map(toStep);
      return placeOf(offsetOf(text, region, trees, steps, part));
    },
  };
}

function offsetOf(
  text: string,
  whole: Region,
  trees: WeakMap<Region, Node>,
  steps: JsonPath,
  part: 'key' | 'value',
): number {
  let region = whole;
  let depth = 0;
  for (let next = childOf(region, steps[0]); next !== undefined; next = childOf(region, steps[depth])) {
    region = next;
    depth++;
  }
  const inside = region.children === undefined ? steps.slice(depth) : [];
  if (inside.length > 0) {
    const tree = trees.get(region) ?? parseTree(text.slice(region.start, region.end));
    if (tree !== undefined) trees.set(region, tree);
    const offset = tree && offsetInTree(tree, inside, part);
    if (offset !== undefined) return region.start + offset;
  }
  const isNamed = part === 'key' || depth < steps.length;
  return isNamed ? (region.nameStart ?? region.start) : region.start;
}

function childOf({ children }: Region, step: string | number | undefined): Region | undefined {
  return step === undefined ? undefined : children?.get(step);
}

function offsetInTree(tree: Node, steps: JsonPath, part: 'key' | 'value'): number | undefined {
  for (let length = steps.length; length > 0; length--) {
    const node = findNodeAtLocation(tree, [...steps.slice(0, length)]);
    if (node === undefined) continue;
    const isNamed = node.parent?.type === 'property' && (part === 'key' || length < steps.length);
    return isNamed ? (node.parent?.offset ?? node.offset) : node.offset;
  }
  return undefined;
}

function toStep(step: PropertyKey): string | number {
  return typeof step === 'number' ? step : String(step);
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

/** Returns a function that finds line and column of an offset, both from 1. It counts the lines once. */
function createLineIndex(text: string): (offset: number) => { readonly line: number; readonly column: number } {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= findLineStarts(text);
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (starts[low] as number) + 1 };
  };
}

function findLineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** A syntax error and its offset in characters. */
interface SyntaxFault {
  readonly offset: number;
  readonly detail: string;
}

/**
 * Describes the first fault at or after an entry. It parses only as much of a large text as it needs. `message` is that
 * of JSON.parse, for faults that jsonc-parser tolerates.
 */
function describeSyntax(text: string, { offset, opening }: Entry, message: string): SyntaxFault {
  if (text.trim() === '') return { offset: 0, detail: 'The file is empty: write at least {}.' };
  for (let length = 16_384; ; length *= 8) {
    const isWhole = offset + length >= text.length;
    const first = firstSyntaxError(opening + text.slice(offset, offset + length));
    // A fault near the end of the excerpt may be caused by its end.
    if (!isWhole && (first === undefined || first.offset + first.length > opening.length + length / 2)) continue;
    if (first !== undefined) {
      const code = printParseErrorCode(first.error);
      const at = offset + Math.max(0, first.offset - opening.length);
      return commaFault(text, at, code) ?? { offset: at, detail: syntaxDetails[code] ?? notJson };
    }
    // The parser's own message would quote the file, which may contain keys.
    const position = /at position (\d+)/.exec(message)?.[1];
    return { offset: position === undefined ? text.length : offset + Number(position), detail: notJson };
  }
}

/** Places a fault about a comma where it is to be added or removed, often a line above the parser's offset. */
function commaFault(text: string, at: number, code: string): SyntaxFault | undefined {
  let end = at;
  while (end > 0 && /[ \t\r\n]/.test(text[end - 1] as string)) end--;
  const isCloser = text[at] === '}' || text[at] === ']';
  if (code === 'CommaExpected' && isCloser) {
    return {
      offset: end,
      detail: `A closing ${text[at] === '}' ? ']' : '}'} is missing here, before the ${text[at]}.`,
    };
  }
  if (code === 'CommaExpected') return { offset: end, detail: 'A comma is missing here, between two entries.' };
  const isTrailing = text[end - 1] === ',' && isCloser;
  return isTrailing ? { offset: end - 1, detail: 'Remove this comma: the last entry has none after it.' } : undefined;
}

const notJson = 'This is not JSON.';

function firstSyntaxError(text: string): ParseError | undefined {
  const errors: ParseError[] = [];
  try {
    parseTree(text, errors, { disallowComments: true });
  } catch (error) {
    // The tree parser recurses for each level, of which a file may have a million.
    if (!(error instanceof RangeError)) throw error;
  }
  return errors.sort((a, b) => a.offset - b.offset)[0];
}

const syntaxDetails: Readonly<Record<string, string>> = {
  InvalidSymbol: 'This is not a JSON value: names and strings need double quotes.',
  InvalidNumberFormat: 'This is not a JSON number.',
  PropertyNameExpected: 'A name in double quotes is expected here.',
  ValueExpected: 'A value is expected here.',
  ColonExpected: 'A colon is expected here, between name and value.',
  CloseBraceExpected: 'A closing } is expected here; the file may be truncated.',
  CloseBracketExpected: 'A closing ] is expected here; the file may be truncated.',
  EndOfFileExpected: 'Nothing may follow the first value.',
  InvalidCommentToken: 'JSON has no comments: use a field whose name begins with _.',
  UnexpectedEndOfComment: 'JSON has no comments: use a field whose name begins with _.',
  UnexpectedEndOfString: 'This string has no closing quote.',
  InvalidUnicode: 'This \\u escape is not complete.',
  InvalidEscapeCharacter: 'Unknown escape: write a backslash as \\\\.',
  InvalidCharacter: 'A string cannot contain a raw control character: write \\n or \\t.',
};
