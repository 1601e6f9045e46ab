/** A parsed pattern: the part of ECMAScript regular expressions that all engines run identically. */
export type Pattern =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'start' | 'end' | 'empty' }
  | { readonly kind: 'sequence' | 'choice'; readonly items: readonly Pattern[] }
  | { readonly kind: 'repeat'; readonly item: Pattern; readonly min: number; readonly max: number };

export interface CharacterSet {
  readonly negated: boolean;
  /** Inclusive code points. */
  readonly ranges: readonly (readonly [from: number, to: number])[];
}

/** Error of a valid pattern that is not supported. A malformed pattern is a SyntaxError. */
export class UnsupportedPattern extends Error {
  override readonly name = 'UnsupportedPattern';
}

const repeatMax = 255;
const depthMax = 50;
const one = (code: number): CharacterSet => ({ negated: false, ranges: [[code, code]] });
const codes = (text: string): (readonly [number, number])[] =>
  Array.from(text, (char) => [char.codePointAt(0)!, char.codePointAt(0)!] as const);

const lineEnds = codes('\n\r\u2028\u2029');
const digits = [[48, 57]] as const;
const words = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
] as const;
const spaces = [
  [9, 13],
  [32, 32],
  [160, 160],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
] as const;
const controls: Record<string, number> = { t: 9, n: 10, v: 11, f: 12, r: 13, '0': 0 };

/** Parses a pattern. Look-around, back references, `\b`, `\p{…}` and bounds over 255 are not supported. */
export function parsePattern(source: string): Pattern {
  const reader = new PatternReader(source);
  const pattern = reader.choice(0);
  if (reader.peek() !== undefined) throw new SyntaxError('a closing parenthesis too many');
  return pattern;
}

class PatternReader {
  readonly #chars: readonly string[];
  #at = 0;

  constructor(source: string) {
    this.#chars = Array.from(source);
  }

  peek(): string | undefined {
    return this.#chars[this.#at];
  }

  #take(char: string): boolean {
    if (this.#chars[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  choice(depth: number): Pattern {
    if (depth > depthMax) throw new UnsupportedPattern(`groups deeper than ${depthMax}`);
    const items = [this.#sequence(depth)];
    while (this.#take('|')) items.push(this.#sequence(depth));
    return items.length === 1 ? items[0]! : { kind: 'choice', items };
  }

  #sequence(depth: number): Pattern {
    const items: Pattern[] = [];
    for (let char = this.peek(); char !== undefined && char !== '|' && char !== ')'; char = this.peek()) {
      items.push(this.#repeated(this.#atom(depth)));
    }
    return items.length === 1 ? items[0]! : ({ kind: items.length === 0 ? 'empty' : 'sequence', items } as Pattern);
  }

  #repeated(item: Pattern): Pattern {
    const bounds = this.#bounds();
    if (bounds === undefined) return item;
    if (item.kind === 'start' || item.kind === 'end') throw new SyntaxError('nothing to repeat');
    this.#take('?');
    if (this.#bounds() !== undefined) throw new SyntaxError('nothing to repeat');
    return { kind: 'repeat', item, min: bounds[0], max: bounds[1] };
  }

  #bounds(): [number, number] | undefined {
    if (this.#take('*')) return [0, Number.POSITIVE_INFINITY];
    if (this.#take('+')) return [1, Number.POSITIVE_INFINITY];
    if (this.#take('?')) return [0, 1];
    if (this.peek() !== '{') return undefined;
    const close = this.#chars.indexOf('}', this.#at);
    const match = /^\{(\d+)(,?)(\d*)$/.exec(this.#chars.slice(this.#at, Math.max(close, 0)).join(''));
    if (match === null) throw new SyntaxError('a bound such as {1,3} is malformed');
    this.#at = close + 1;
    const min = Number(match[1]);
    const max = match[2] === '' ? min : match[3] === '' ? Number.POSITIVE_INFINITY : Number(match[3]);
    if (max < min) throw new SyntaxError('the numbers of a bound are out of order');
    if (min > repeatMax || (max > repeatMax && max !== Number.POSITIVE_INFINITY)) {
      throw new UnsupportedPattern(`bounds over ${repeatMax}`);
    }
    return [min, max];
  }

  #atom(depth: number): Pattern {
    const char = this.#chars[this.#at++]!;
    switch (char) {
      case '^':
        return { kind: 'start' };
      case '$':
        return { kind: 'end' };
      case '.':
        return { kind: 'set', set: { negated: true, ranges: lineEnds } };
      case '(':
        return this.#group(depth);
      case '[':
        return { kind: 'set', set: this.#class() };
      case '\\':
        return { kind: 'set', set: this.#escape() };
      case '*':
      case '+':
      case '?':
      case '{':
        throw new SyntaxError('nothing to repeat');
      case '}':
      case ']':
        throw new SyntaxError('a bracket is not closed or not escaped');
    }
    return { kind: 'set', set: one(char.codePointAt(0)!) };
  }

  #group(depth: number): Pattern {
    if (this.#take('?') && !this.#take(':')) throw new UnsupportedPattern('groups that begin with (? other than (?:');
    const inner = this.choice(depth + 1);
    if (!this.#take(')')) throw new SyntaxError('a parenthesis is not closed');
    return inner;
  }

  #class(): CharacterSet {
    const negated = this.#take('^');
    const ranges: (readonly [number, number])[] = [];
    while (!this.#take(']')) {
      const from = this.#member();
      if (this.peek() === '-' && this.#chars[this.#at + 1] !== ']' && this.#chars[this.#at + 1] !== undefined) {
        this.#at++;
        const to = this.#member();
        const [low, high] = [single(from), single(to)];
        if (low > high) throw new SyntaxError('a range is out of order');
        ranges.push([low, high]);
      } else ranges.push(...plain(from));
    }
    if (ranges.length === 0) throw new UnsupportedPattern('an empty class');
    return { negated, ranges };
  }

  #member(): CharacterSet {
    const char = this.#chars[this.#at++];
    if (char === undefined) throw new SyntaxError('a class is not closed');
    return char === '\\' ? this.#escape(true) : one(char.codePointAt(0)!);
  }

  #escape(inClass = false): CharacterSet {
    const char = this.#chars[this.#at++];
    if (char === undefined) throw new SyntaxError('the pattern ends in a \\');
    switch (char) {
      case 'd':
      case 'D':
        return { negated: char === 'D', ranges: digits };
      case 'w':
      case 'W':
        return { negated: char === 'W', ranges: words };
      case 's':
      case 'S':
        return { negated: char === 'S', ranges: spaces };
      case 'x':
        return one(this.#hex(2));
      case 'u':
        return one(this.#take('{') ? this.#braced() : this.#hex(4));
      case 'b':
        if (inClass) return one(8);
    }
    const control = controls[char];
    if (control !== undefined && control > 0) return one(control);
    if (/[A-Za-z0-9]/.test(char)) throw new UnsupportedPattern(`\\${char}`);
    return one(char.codePointAt(0)!);
  }

  #hex(length: number): number {
    const text = this.#chars.slice(this.#at, this.#at + length).join('');
    if (text.length !== length || !/^[0-9A-Fa-f]+$/.test(text)) throw new SyntaxError('an escape is malformed');
    this.#at += length;
    return nonZero(Number.parseInt(text, 16));
  }

  #braced(): number {
    const close = this.#chars.indexOf('}', this.#at);
    const text = this.#chars.slice(this.#at, Math.max(close, this.#at)).join('');
    const code = /^[0-9A-Fa-f]{1,6}$/.test(text) ? Number.parseInt(text, 16) : Number.NaN;
    if (!(code <= 0x10ffff)) throw new SyntaxError('an escape is malformed');
    this.#at = close + 1;
    return nonZero(code);
  }
}

function nonZero(code: number): number {
  if (code === 0 || (code >= 0xd800 && code <= 0xdfff))
    throw new UnsupportedPattern('U+0000 and halves of surrogate pairs');
  return code;
}

function single(set: CharacterSet): number {
  const [range] = set.ranges;
  if (set.negated || set.ranges.length !== 1 || range![0] !== range![1]) throw new SyntaxError('a range of classes');
  return range![0];
}

/** Returns the ranges of a set. A negated set, such as `\S` in `[\s\S]`, is inverted. No text contains U+0000. */
function plain({ negated, ranges }: CharacterSet): CharacterSet['ranges'] {
  if (!negated) return ranges;
  const between: (readonly [number, number])[] = [];
  let from = 1;
  for (const [low, high] of [...ranges].sort((a, b) => a[0] - b[0])) {
    if (low > from) between.push([from, low - 1]);
    from = Math.max(from, high + 1);
  }
  between.push([from, 0x10ffff]);
  return between;
}
