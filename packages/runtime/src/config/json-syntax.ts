import { type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

/** What keeps a text from being JSON, and where: characters from its beginning. */
export interface SyntaxFault {
  readonly offset: number;
  readonly detail: string;
}

/** A place in a text from which on it may be read as if it began there. */
export interface Entry {
  readonly offset: number;
  /** A text that brings a parser to where it would be at the offset: what is open there, such as `{"":[0,`. */
  readonly opening: string;
}

/**
 * Describes the first fault at or after an entry. Reads only as much of a large text as it needs. `message` is that of
 * JSON.parse, for faults that the tolerant parser does not find.
 */
export function describeSyntax(text: string, { offset, opening }: Entry, message: string): SyntaxFault {
  if (text.trim() === '') return { offset: 0, detail: 'It is empty; write at least {}.' };
  for (let length = 16_384; ; length *= 8) {
    const isWhole = offset + length >= text.length;
    const first = firstSyntaxError(opening + text.slice(offset, offset + length));
    // What is wrong near the end of the excerpt may only be that it ends.
    if (!isWhole && (first === undefined || first.offset + first.length > opening.length + length / 2)) continue;
    if (first !== undefined) {
      const code = printParseErrorCode(first.error);
      const at = offset + Math.max(0, first.offset - opening.length);
      return commaFault(text, at, code) ?? { offset: at, detail: syntaxDetails[code] ?? notJson };
    }
    // The parser's own message would quote the file, which may hold keys.
    const position = /at position (\d+)/.exec(message)?.[1];
    return { offset: position === undefined ? text.length : offset + Number(position), detail: notJson };
  }
}

/** A fault about a comma stands where the comma is to be added or removed, often a line above what the parser names. */
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
    // The tree parser calls itself for each level, and somebody may have nested a million.
    if (!(error instanceof RangeError)) throw error;
  }
  return errors.sort((a, b) => a.offset - b.offset)[0];
}

const syntaxDetails: Readonly<Record<string, string>> = {
  InvalidSymbol: 'This is not a JSON value; names and text stand in double quotes.',
  InvalidNumberFormat: 'This is not a JSON number.',
  PropertyNameExpected: 'A name in double quotes is expected here.',
  ValueExpected: 'A value is expected here.',
  ColonExpected: 'A colon is expected here, between name and value.',
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
