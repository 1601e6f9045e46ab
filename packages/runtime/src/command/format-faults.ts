import type { ConfigFault } from '../config/config-error.ts';
import { excerptOf } from './source-excerpt.ts';
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
