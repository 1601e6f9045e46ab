import type { ConfigFault } from '../config/config-error.ts';
import type { Output } from './terminal.ts';

export interface FormatFaultsOptions {
  readonly output: Pick<Output, 'style' | 'columns'>;
  /** Returns the text of a file that has a fault; undefined when it cannot be read. */
  readonly readText: (path: string) => string | undefined;
}

/** Only so many faults are shown with an excerpt of their source. */
const excerptsMax = 50;

/** Formats faults for people: place, field, what to do, and the line of the file with a caret below it. */
export function formatFaults(faults: readonly ConfigFault[], { output, readText }: FormatFaultsOptions): string {
  const texts = new Map<string, string | undefined>();
  const textOf = (path: string) => {
    if (!texts.has(path)) texts.set(path, readText(path));
    return texts.get(path);
  };
  return faults
    .map(({ where, field, detail, place }, i) => {
      const name = field === '' ? '' : `${output.style('bold', field)}: `;
      const head = `${output.style('cyan', where)}  ${name}${detail}\n`;
      const text = place === undefined || i >= excerptsMax ? undefined : textOf(place.file);
      if (text === undefined || place === undefined) return head;
      const isCode = /\.[cm]?[jt]s$/.test(place.file);
      const excerpt = excerptOf(text, place, {
        output,
        mayShow: (value) => (isShowable(field) && !hasUser(value)) || detail.includes(value),
        isCode,
      });
      return excerpt === undefined ? head : `${head}${excerpt}\n`;
    })
    .join('');
}

/** Returns a fault as JSON, for programs. */
export function toFaultJson({ where, field, detail, place }: ConfigFault): Readonly<Record<string, unknown>> {
  return { where, field, detail, file: place?.file ?? null, line: place?.line ?? null, column: place?.column ?? null };
}

/** Returns `a fault` or `2 faults`, for the line above them. */
export function countFaults(count: number): string {
  return count === 1 ? 'a fault' : `${count} faults`;
}

/**
 * Whether an excerpt may show the value of a field that the message does not contain. The name of the field decides:
 * never for a whole file, nor for a field that may contain a key, a password or a URL with one, nor for texts that a
 * user names: headers of a policy, its options, and the fields of a login.
 */
function isShowable(field: string): boolean {
  return field !== '' && !/key|sha256|secret|pass|token|url|target|header|\.(set|add|options|fields)\b/i.test(field);
}

/** Whether a text has a URL with a user or a password. */
function hasUser(value: string): boolean {
  return /:\/\/[^\s/?#]*@/.test(value);
}

export interface ExcerptPlace {
  readonly line: number;
  readonly column: number;
}

export interface ExcerptOptions {
  /** Whether the value at the place itself may be shown. */
  readonly mayShow: (value: string) => boolean;
  /** The text is code, which is shown as it is. */
  readonly isCode?: boolean;
  readonly output: Pick<Output, 'style' | 'columns'>;
}

const mask = '…';

/**
 * Returns the line of a place in a JSON text with a caret below it. It masks the other values of the line: one may be a
 * key. Undefined when the text has no such line.
 */
export function excerptOf(text: string, { line, column }: ExcerptPlace, options: ExcerptOptions): string | undefined {
  const source = text.split('\n')[line - 1]?.replace(/\r$/, '');
  if (source === undefined || source.trim() === '') return undefined;
  const { style, columns } = options.output;
  const { shown, caret } = options.isCode
    ? { shown: source, caret: column - 1 }
    : maskLine(source, column - 1, options.mayShow);
  const gutter = `${line} | `.padStart(8);
  // A long line is cut around the place.
  const width = Math.max(20, Math.min(columns, 120) - gutter.length - 2);
  const start = caret < width - 10 ? 0 : caret - Math.floor(width / 2);
  const lead = start === 0 ? '' : '…';
  const cut = shown.slice(start, start + width).replaceAll('\t', ' ');
  const tail = shown.length > start + width ? '…' : '';
  const below = `${' '.repeat(gutter.length - 2)}| ${' '.repeat(lead.length + caret - start)}`;
  return `${style('dim', gutter)}${lead}${cut}${tail}\n${style('dim', below)}${style('red', '^')}`;
}

/** Masks the values of a line, and returns the offset of the place in the masked line. */
function maskLine(
  source: string,
  offset: number,
  mayShow: (value: string) => boolean,
): { shown: string; caret: number } {
  let shown = '';
  let caret = -1;
  let before = '';
  for (const { 0: token, index } of source.matchAll(tokens)) {
    const isPlace = offset >= index && offset < index + token.length;
    if (isPlace) caret = shown.length + Math.min(offset - index, 1);
    // A token between two colons is a mistyped value, not a name.
    const isName = before !== ':' && /^\s*:/.test(source.slice(index + token.length));
    const isShown = isPlace && offset === index && mayShow(token.replaceAll(/^"|"$/g, ''));
    shown += harmless.test(token) || isName || isShown ? token : mask;
    if (token.trim() !== '') before = token;
  }
  return { shown, caret: caret < 0 ? shown.length : caret };
}

/** Space, a punctuation mark, a string or a word; matches any line, JSON or not. */
const tokens = /\s+|[{}[\],:]|"(?:[^"\\]|\\.)*"?|[^\s{}[\],:"]+/g;
const harmless = /^(\s+|[{}[\],:]|true|false|null)$/;
