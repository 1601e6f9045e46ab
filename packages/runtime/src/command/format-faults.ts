import type { ConfigFault } from '../config/config-error.ts';
import type { Output } from './terminal.ts';

export interface FormatFaultsOptions {
  readonly output: Pick<Output, 'style' | 'columns'>;
  /** The text of a file that a fault stands in; undefined when it cannot be read. */
  readonly readText: (path: string) => string | undefined;
}

/** Above this many faults only the first are shown with their source: nobody mends a thousand at once. */
const excerptsMax = 50;

/** Every fault for people: where, which field, what to do, and the line of the file with a caret below it. */
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
        isTold: (value) => mayShow(field) || detail.includes(value),
        isCode,
      });
      return excerpt === undefined ? head : `${head}${excerpt}\n`;
    })
    .join('');
}

/** A fault without its text, for programs. */
export function toFaultJson({ where, field, detail, place }: ConfigFault): Readonly<Record<string, unknown>> {
  return { where, field, detail, file: place?.file ?? null, line: place?.line ?? null, column: place?.column ?? null };
}

/** `2 faults in the configuration`, for the line above them. */
export function countFaults(count: number): string {
  return count === 1 ? 'a fault' : `${count} faults`;
}

/**
 * Whether the value of a field may be shown though the message has not told it. The names of fields decide, whatever
 * file they are of; of a file as a whole, and of what may hold a key, a password or an address with one, nothing is.
 */
function mayShow(field: string): boolean {
  return field !== '' && !/key|sha256|secret|pass|token|url|target|header/i.test(field);
}

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
