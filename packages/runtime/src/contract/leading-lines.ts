import type { ServerResponse } from 'node:http';

/** A response that writes lines of its head as they are given, which Node would check name by name, value by value. */
export interface LeadingResponse extends ServerResponse {
  /** Whole header lines, each with its end, that go before all others; whoever sets them vouches for every character. */
  leadingLines: string;
}

type StoreHeader = (this: ServerResponse, firstLine: string, headers: unknown) => void;

/** Makes responses of the class take leading lines; false where this Node makes heads in another way than is known. */
export function takeLeadingLines(prototype: ServerResponse): boolean {
  const store = (prototype as unknown as { _storeHeader?: StoreHeader })._storeHeader;
  if (typeof store !== 'function' || store.length !== 2) return false;
  Object.assign(prototype, {
    leadingLines: '',
    _storeHeader(this: LeadingResponse, firstLine: string, headers: unknown) {
      store.call(this, firstLine + this.leadingLines, headers);
    },
  });
  return true;
}

export function isLeading(res: ServerResponse): res is LeadingResponse {
  return (res as Partial<LeadingResponse>).leadingLines !== undefined;
}

/** Headers as lines of a head. */
export function toLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}
