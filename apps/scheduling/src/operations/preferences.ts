import type { ReplyHeaders } from '@rostergate/server';

/** One preference: a name with a value, and parameters, which are ignored (RFC 7240 §2). */
const preference =
  /[ \t]*([\w!#$%&'*+.^`|~-]+)[ \t]*(?:=[ \t]*([^\s",;]+|"(?:[^"\\]|\\.)*"))?((?:[^",]|"(?:[^"\\]|\\.)*")*)(?:,|$)/y;

export interface Preferences {
  readonly pageSize?: number | undefined;
  /** The name with which the client asked to track changes. */
  readonly tracking?: string | undefined;
  /** Whether a batch continues after an error. */
  readonly continuesOnError?: boolean | undefined;
}

/**
 * Returns the preferences of a list, `maxpagesize` and `track-changes`, and `continue-on-error` of a batch, with or without
 * `odata.` (OData protocol 4.01, section 8.2.8). The first of a name counts (RFC 7240 §2); an invalid value is ignored.
 */
export function parsePreferences(header: string | readonly string[] | undefined): Preferences {
  const values: { maxpagesize?: string; tracking?: string; continuing?: string } = {};
  const text = typeof header === 'string' ? header : (header ?? []).join(',');
  preference.lastIndex = 0;
  while (preference.lastIndex < text.length) {
    const found = preference.exec(text);
    if (found === null) break;
    const [, name = '', value = ''] = found;
    if (/^(odata\.)?maxpagesize$/i.test(name)) values.maxpagesize ??= value;
    else if (/^(odata\.)?track-changes$/i.test(name)) values.tracking ??= name.toLowerCase();
    else if (/^(odata\.)?continue-on-error$/i.test(name)) values.continuing ??= value === '' ? 'true' : value;
  }
  const { maxpagesize = '', tracking, continuing = '' } = values;
  const digits = unquote(maxpagesize);
  return {
    pageSize: /^0*[1-9]\d{0,8}$/.test(digits) ? Number(digits) : undefined,
    tracking,
    continuesOnError: booleans.get(unquote(continuing).toLowerCase()),
  };
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

function unquote(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1) : value;
}

/** Returns the header that lists the applied preferences (RFC 7240 §3). */
export function applied(pageSize: number | undefined, tracking?: string): ReplyHeaders {
  const preferences = [...(pageSize === undefined ? [] : [`maxpagesize=${pageSize}`]), ...(tracking ? [tracking] : [])];
  return preferences.length === 0 ? {} : { 'Preference-Applied': preferences.join(', ') };
}
