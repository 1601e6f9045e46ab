import { type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

/** A syntax error and its offset in characters. */
export interface SyntaxFault {
  readonly offset: number;
  readonly detail: string;
}

/** A place in a text at which parsing can begin. */
export interface Entry {
  readonly offset: number;
  /** A text that brings a parser into the state at the offset: what is open there, such as `{"":[0,`. */
  readonly opening: string;
}

/**
 * Describes the first fault at or after an entry. It parses only as much of a large text as it needs. `message` is that
 * of JSON.parse, for faults that jsonc-parser tolerates.
 */
export function describeSyntax(text: string, { offset, opening }: Entry, message: string): SyntaxFault {
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
