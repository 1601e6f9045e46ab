import type { Output } from './terminal.ts';

export interface ExcerptPlace {
  readonly line: number;
  readonly column: number;
}

export interface ExcerptOptions {
  /** Whether the value at the place itself may be shown. */
  readonly isTold: (value: string) => boolean;
  /** Code is shown as it is: it is no place for secrets, and without its words nobody finds the fault. */
  readonly isCode?: boolean;
  readonly output: Pick<Output, 'style' | 'columns'>;
}

const hidden = '…';

/**
 * The line of a place in a JSON text with a caret below it. The other values of the line are left out: one of them may
 * be a key. Undefined when the text has no such line.
 */
export function excerptOf(text: string, { line, column }: ExcerptPlace, options: ExcerptOptions): string | undefined {
  const source = text.split('\n')[line - 1]?.replace(/\r$/, '');
  if (source === undefined || source.trim() === '') return undefined;
  const { style, columns } = options.output;
  const { shown, caret } = options.isCode
    ? { shown: source, caret: column - 1 }
    : maskLine(source, column - 1, options.isTold);
  const gutter = `${line} | `.padStart(8);
  // A long line is shown around the place.
  const width = Math.max(20, Math.min(columns, 120) - gutter.length - 2);
  const start = caret < width - 10 ? 0 : caret - Math.floor(width / 2);
  const lead = start === 0 ? '' : '…';
  const cut = shown.slice(start, start + width).replaceAll('\t', ' ');
  const tail = shown.length > start + width ? '…' : '';
  const below = `${' '.repeat(gutter.length - 2)}| ${' '.repeat(lead.length + caret - start)}`;
  return `${style('dim', gutter)}${lead}${cut}${tail}\n${style('dim', below)}${style('red', '^')}`;
}

/** The line with its values hidden, and where the place is in it then. */
function maskLine(
  source: string,
  offset: number,
  isTold: (value: string) => boolean,
): { shown: string; caret: number } {
  let shown = '';
  let caret = -1;
  let before = '';
  for (const { 0: token, index } of source.matchAll(tokens)) {
    const isPlace = offset >= index && offset < index + token.length;
    if (isPlace) caret = shown.length + Math.min(offset - index, 1);
    // What stands between two colons is a value somebody has mistyped, not a name.
    const isName = before !== ':' && /^\s*:/.test(source.slice(index + token.length));
    const isShown = isPlace && offset === index && isTold(token.replaceAll(/^"|"$/g, ''));
    shown += harmless.test(token) || isName || isShown ? token : hidden;
    if (token.trim() !== '') before = token;
  }
  return { shown, caret: caret < 0 ? shown.length : caret };
}

/** Space, a sign, text in quotes, or whatever else stands together; of every line, JSON or not. */
const tokens = /\s+|[{}[\],:]|"(?:[^"\\]|\\.)*"?|[^\s{}[\],:"]+/g;
const harmless = /^(\s+|[{}[\],:]|true|false|null)$/;
