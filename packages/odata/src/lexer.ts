import type { Expression, Literal } from './ast.ts';
import { type Limits, limitError } from './limits.ts';
import { ODataError } from './odata-error.ts';

const letter = 1;
const digit = 2;
const hex = 4;
const classes = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const char = String.fromCharCode(code);
  if (/[A-Za-z_]/.test(char)) classes[code]! |= letter;
  if (/[0-9]/.test(char)) classes[code]! |= digit;
  if (/[0-9A-Fa-f]/.test(char)) classes[code]! |= hex;
}
const unicodeLeading = /[\p{L}\p{Nl}]/u;
const unicodeFollowing = /[\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}]/u;
const identifierLengthMax = 128;

export const isDigit = (code: number): boolean => code >= 48 && code <= 57;
export const isHex = (code: number): boolean => code < 128 && (classes[code]! & hex) !== 0;
export const isLetter = (code: number): boolean => code < 128 && (classes[code]! & letter) !== 0;
export const isSpace = (code: number): boolean => code === 32 || code === 9;

/** Parses an expression whose operators bind at least as tightly as `precedenceMin`. */
export type ParseExpression = (lx: Lexer, precedenceMin?: number) => Expression;

/** Reads the decoded text of one option from left to right. All rules of the grammar share it. */
export class Lexer {
  readonly text: string;
  readonly limits: Limits;
  /** Rejects everything that the ABNF does not allow. */
  readonly strict: boolean;
  readonly #parseExpression: ParseExpression;
  pos = 0;
  depth = 0;
  lambdaDepth = 0;
  expandDepth = 0;
  nodes = 0;
  /** The last time of day read. */
  time: Literal | undefined = undefined;
  /** Returns whether the character at an offset was percent-encoded. Undefined when the caller decoded the text. */
  isEncoded: ((offset: number) => boolean) | undefined = undefined;

  constructor(text: string, limits: Limits, parseExpression: ParseExpression, strict = false) {
    this.text = text;
    this.limits = limits;
    this.#parseExpression = parseExpression;
    this.strict = strict;
    if (text.length > limits.lengthMax) throw limitError('lengthMax', limits.lengthMax, limits.lengthMax);
  }

  /** Parses an expression. The grammar is recursive, and this method keeps its modules free of import cycles. */
  expression(precedenceMin?: number): Expression {
    return this.#parseExpression(this, precedenceMin);
  }

  /** Returns the char code at the position, or NaN past the end. */
  peek(ahead = 0): number {
    return this.text.charCodeAt(this.pos + ahead);
  }

  atEnd(): boolean {
    return this.pos >= this.text.length;
  }

  fail(expected: string | readonly string[], at = this.pos, hint = ''): never {
    const list = typeof expected === 'string' ? [expected] : expected;
    const found = at >= this.text.length ? 'the end' : JSON.stringify(this.text.slice(at, at + 12));
    const wanted = list.length > 1 ? `${list.slice(0, -1).join(', ')} or ${list.at(-1)}` : list[0];
    throw new ODataError('syntax', `Expected ${wanted} at offset ${at}, found ${found}.${hint}`, {
      offset: at,
      expected: list,
    });
  }

  /** Skips optional white space (BWS). */
  space(): void {
    while (isSpace(this.peek())) this.pos++;
  }

  take(char: string): boolean {
    if (this.text.charCodeAt(this.pos) !== char.charCodeAt(0)) return false;
    this.pos++;
    return true;
  }

  expect(char: string): void {
    if (!this.take(char)) this.fail(`"${char}"`);
  }

  /** Skips the space after a comma unless strict. The examples of OData Part 2, 5.1.5 have one. */
  listSpace(): void {
    if (!this.strict) this.space();
  }

  /** Returns the index after the identifier at `from`, or `from` when there is none. */
  identifierEnd(from: number): number {
    const { text } = this;
    let at = from;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code < 128) {
        const kind = classes[code]!;
        if ((kind & letter) === 0 && ((kind & digit) === 0 || at === from)) break;
        at++;
      } else if (code >= 128) {
        const char = String.fromCodePoint(text.codePointAt(at)!);
        if (!(at === from ? unicodeLeading : unicodeFollowing).test(char)) break;
        at += char.length;
      } else break;
    }
    if (at - from > identifierLengthMax) this.fail(`a name of at most ${identifierLengthMax} characters`, from + 128);
    return at;
  }

  identifier(expected = 'a name'): string {
    const end = this.identifierEnd(this.pos);
    if (end === this.pos) this.fail(expected);
    const name = this.text.slice(this.pos, end);
    this.pos = end;
    return name;
  }

  /** Reads `Name` or `Namespace.Name`. */
  qualifiedName(expected = 'a name'): string {
    const start = this.pos;
    this.identifier(expected);
    while (this.peek() === 46 && this.identifierEnd(this.pos + 1) > this.pos + 1) {
      this.pos++;
      this.identifier();
    }
    return this.text.slice(start, this.pos);
  }

  /** Takes `word`, case-insensitively, when no identifier character follows. */
  takeWord(word: string): boolean {
    const end = this.pos + word.length;
    if (this.text.slice(this.pos, end).toLowerCase() !== word) return false;
    if (this.identifierEnd(this.pos) > end) return false;
    this.pos = end;
    return true;
  }

  node(): void {
    if (++this.nodes > this.limits.nodesMax) throw limitError('nodesMax', this.limits.nodesMax, this.pos);
  }

  enter(): void {
    if (++this.depth > this.limits.depthMax) throw limitError('depthMax', this.limits.depthMax, this.pos);
  }

  leave(): void {
    this.depth--;
  }
}
