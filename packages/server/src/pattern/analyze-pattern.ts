/** The cost of a regular expression according to its source, and its translation for RE2. */
export interface PatternShape {
  /** A repeated group contains a repetition or a choice: backtracking may take exponential time. */
  readonly isNested: boolean;
  /** If not nested, backtracking takes time that grows with this power of the length of the text. */
  readonly power: number;
  /** It contains look-around or back-references, which no linear engine supports. */
  readonly needsBacktracking: boolean;
  /**
   * The pattern in RE2's syntax, with the classes written out whose meaning differs there. Undefined where RE2 lacks the
   * syntax or interprets it differently.
   */
  readonly re2: string | undefined;
}

/** Analyzes a valid regular expression; its errors are on the slow side. */
export function analyzePattern(source: string): PatternShape {
  const reader = new PatternReader(source);
  reader.read();
  return reader;
}

/** Bounded repetitions multiply the steps; above this product they count as unbounded. */
const choicesMax = 64;

const spaces = '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const noSpaces =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}' +
  '\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';
const noLineEnd = '[^\\n\\r\\x{2028}\\x{2029}]';

/** The escapes that RE2 interprets alike or that are translated; in others a letter may stand for itself. */
const sharedEscape = /^\\(?:[bBdDwWsSfnrtv0]$|[uxpP].|[!-/:-@[-^`{-~]$)/;
const loneSurrogate = /\p{Surrogate}/u;

class PatternReader implements PatternShape {
  isNested = false;
  needsBacktracking = false;
  readonly #source: string;
  #at = 0;
  #re2 = '';
  #hasOtherMeaning: boolean;
  #unbounded = 0;
  #choices = 1;
  #hasTopChoice = false;
  /** For each open group, whether it contains a repetition or a choice. */
  readonly #groups: boolean[] = [];

  constructor(source: string) {
    this.#source = source;
    this.#hasOtherMeaning = loneSurrogate.test(source);
  }

  get re2(): string | undefined {
    return this.needsBacktracking || this.#hasOtherMeaning ? undefined : this.#re2;
  }

  get power(): number {
    const isAnchored = this.#source.startsWith('^') && !this.#hasTopChoice;
    return this.#unbounded + (isAnchored ? 0 : 1) + (this.#choices > choicesMax ? 1 : 0);
  }

  read(): void {
    let closed: boolean | undefined;
    while (this.#at < this.#source.length) {
      const wasGroup: boolean | undefined = closed;
      closed = undefined;
      const char = this.#source[this.#at] as string;
      if (char === '(') this.#open();
      else if (char === ')') {
        closed = this.#groups.pop() ?? false;
        // The outer group then contains it too.
        if (closed) this.#mark();
        this.#take(1);
      } else if (char === '|') {
        this.#choices *= 2;
        if (this.#groups.length === 0) this.#hasTopChoice = true;
        this.#mark();
        this.#take(1);
      } else if (char === '[') this.#class();
      else if (char === '\\') this.#escape(false);
      else if (char === '.') this.#take(1, noLineEnd);
      else if (!this.#quantifier(wasGroup === true)) this.#take(1);
    }
  }

  #take(length: number, as = this.#source.slice(this.#at, this.#at + length)): void {
    this.#re2 += as;
    this.#at += length;
  }

  /** Records that the current group contains a repetition or a choice. */
  #mark(): void {
    if (this.#groups.length > 0) this.#groups[this.#groups.length - 1] = true;
  }

  #open(): void {
    const [head] = /^\((?:\?(?:<?[=!]|<[^>]*>|[a-z-]*:)?)?/.exec(this.#source.slice(this.#at)) as RegExpExecArray;
    if (/^\(\?<?[=!]/.test(head)) this.needsBacktracking = true;
    // Flags such as `(?s:` change the meaning of `.`, which is translated to a class.
    if (/^\(\?[a-z-]+:/.test(head)) this.#hasOtherMeaning = true;
    this.#groups.push(false);
    this.#take(head.length, head.replace(/^\(\?</, '(?P<'));
  }

  #class(): void {
    // In RE2 a first `]` is a member of the class, so `[]` and `[^]` do not end there.
    if (/^\[\^?\]/.test(this.#source.slice(this.#at, this.#at + 3))) this.#hasOtherMeaning = true;
    this.#take(1);
    while (this.#at < this.#source.length && this.#source[this.#at] !== ']') {
      if (this.#source[this.#at] === '\\') this.#escape(true);
      // RE2 supports `[:alpha:]` in a class; ECMAScript does not.
      else this.#take(1, this.#source[this.#at] === '[' ? '\\[' : undefined);
    }
    this.#take(1);
  }

  #escape(isInClass: boolean): void {
    const text = this.#source.slice(this.#at, this.#at + 12);
    const [code] = /^\\(?:u\{[0-9A-Fa-f]+\}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|[pP]\{[^}]*\}|[\s\S])/.exec(text) ?? ['\\'];
    const digit = code === '\\0' && /^\d/.test(text.slice(2));
    const surrogate = /^\\u\{?0*d[89a-f][\da-f]{2}\b/i.test(code);
    if (digit || surrogate || !sharedEscape.test(code)) this.#hasOtherMeaning = true;
    if (code === '\\s' || code === '\\S') {
      const set = code === '\\s' ? spaces : noSpaces;
      this.#take(2, isInClass ? set : `[${set}]`);
    } else if (/^\\(?:[1-9]|k)/.test(code)) {
      this.needsBacktracking = true;
      this.#take(code.length);
    } else if (/^\\[ux]/.test(code)) this.#take(code.length, `\\x{${code.replace(/^\\[ux]\{?|\}/g, '')}}`);
    else if (code === '\\b' && isInClass) this.#take(2, '\\x{8}');
    else if (code === '\\/' || code === '\\-') this.#take(2, code === '\\/' ? '/' : '\\-');
    else if (code === '\\0') this.#take(2, '\\x{0}');
    else this.#take(code.length);
  }

  #quantifier(isOfVaryingGroup: boolean): boolean {
    const found = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})/.exec(this.#source.slice(this.#at));
    if (found === null) return false;
    const [text, low, comma, high] = found;
    const [min, max] =
      low === undefined
        ? [text === '+' ? 1 : 0, text === '?' ? 1 : Infinity]
        : [Number(low), comma === '' ? Number(low) : high === '' ? Infinity : Number(high)];
    if (isOfVaryingGroup && max > 1) this.isNested = true;
    if (max > min) {
      const range = max - min + 1;
      if (range > choicesMax) this.#unbounded++;
      else this.#choices *= range;
      this.#mark();
    }
    this.#take(text.length + (this.#source[this.#at + text.length] === '?' ? 1 : 0));
    return true;
  }
}
