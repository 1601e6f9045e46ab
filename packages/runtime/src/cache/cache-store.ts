import type { ReplyHeaders } from '../contract/index.ts';
import { observeCompressed } from '../edge/compress.ts';

/** A response as it is stored. Times are in milliseconds of the cache's steady clock. */
export interface StoredResponse {
  readonly status: number;
  readonly contentType: string | undefined;
  /** As the upstream sent them, without Age. */
  readonly said: ReplyHeaders;
  /** As they leave, without Age. */
  readonly headers: ReplyHeaders;
  readonly bytes: Buffer;
  /** When its age was 0. */
  readonly bornMs: number;
  readonly freshUntilMs: number;
  readonly mayBeStale: boolean;
  readonly staleWhileRevalidateMs: number;
  readonly staleIfErrorMs: number;
}

/** Returns the value of a request header, given by its lower-case name, as it is sent upstream. */
export type SentHeader = (name: string) => string | undefined;

/** Returns the value of a request header in the form in which two requests are compared; see `selectingHeaders`. */
export type SelectingHeader = (name: string) => string;

/** What an entry is found by. */
export interface CacheKey {
  /** Path and query. */
  readonly uri: string;
  /** The endpoint as it is configured: an entry is only found by the same configuration of it. */
  readonly scope: string;
  /** Everything about the caller that the response may depend on; empty without a key. */
  readonly caller: string;
}

interface Variant {
  readonly vary: readonly string[];
  /** One for each name of `vary`. */
  readonly values: readonly string[];
  readonly response: StoredResponse;
  size: number;
}

/** The responses of one key, the newest first. */
interface Slot extends CacheKey {
  variants: Variant[];
  size: number;
}

export interface CacheStoreOptions {
  readonly bytesMax: number;
  /** Responses of one key that differ by request headers. */
  readonly variantsMax?: number;
}

/** Responses within a memory bound; the least recently used are evicted first. */
export interface CacheStore {
  get(key: string, selecting: SelectingHeader): StoredResponse | undefined;
  set(
    key: string,
    parts: CacheKey,
    vary: readonly string[],
    selecting: SelectingHeader,
    response: StoredResponse,
  ): void;
  /** Removes the response that this request selects, and no other variant. */
  delete(key: string, selecting: SelectingHeader): void;
  /** Removes every response for a URI: of all callers, endpoints and variants. */
  deleteUri(uri: string): void;
  /** Removes the responses of every scope but these, and stores none of another from now on. */
  retain(scopes: ReadonlySet<string>): void;
  /** Request headers by which the newest response of a key is selected. */
  varyOf(key: string): readonly string[];
  /** Memory in use, with keys, headers and compressed copies. */
  readonly bytes: number;
  readonly size: number;
}

export function createCacheStore({ bytesMax, variantsMax = 16 }: CacheStoreOptions): CacheStore {
  // In the order of their last use.
  const slots = new Map<string, Slot>();
  const byUri = new Map<string, Set<string>>();
  let retained: ReadonlySet<string> | undefined;
  let bytes = 0;

  function grow(slot: Slot, by: number): void {
    slot.size += by;
    bytes += by;
  }

  function open(key: string, { uri, scope, caller }: CacheKey): Slot {
    const slot: Slot = { uri, scope, caller, variants: [], size: 0 };
    slots.set(key, slot);
    const keys = byUri.get(uri);
    if (keys === undefined) byUri.set(uri, new Set([key]));
    else keys.add(key);
    grow(slot, sizeOfText(key) + sizeOfText(uri) + slotBytes);
    return slot;
  }

  function forget(key: string): void {
    const slot = slots.get(key);
    if (slot === undefined) return;
    slots.delete(key);
    const keys = byUri.get(slot.uri) as Set<string>;
    keys.delete(key);
    if (keys.size === 0) byUri.delete(slot.uri);
    grow(slot, -slot.size);
  }

  function drop(slot: Slot, variant: Variant): void {
    slot.variants = slot.variants.filter((other) => other !== variant);
    grow(slot, -variant.size);
  }

  function evict(): void {
    for (const oldest of slots.keys()) {
      if (bytes <= bytesMax) break;
      forget(oldest);
    }
  }

  return {
    get(key, selecting) {
      const slot = slots.get(key);
      if (slot === undefined) return undefined;
      slots.delete(key);
      slots.set(key, slot);
      return select(slot, selecting)?.response;
    },
    set(key, parts, vary, selecting, response) {
      // A request that began before `retain` would store what nobody can find.
      if (retained !== undefined && !retained.has(parts.scope)) return;
      const slot = slots.get(key) ?? open(key, parts);
      const values = vary.map(selecting);
      const variant: Variant = { vary, values, response, size: sizeOf(response, values) };
      const replaced = slot.variants.find((other) => isSame(other.vary, vary) && isSame(other.values, values));
      if (replaced !== undefined) drop(slot, replaced);
      if (slot.variants.length >= variantsMax) drop(slot, slot.variants.at(-1) as Variant);
      slot.variants.unshift(variant);
      grow(slot, variant.size);
      observeCompressed(response.bytes, (compressedBytes) => {
        if (slots.get(key) !== slot || !slot.variants.includes(variant)) return;
        variant.size += compressedBytes;
        grow(slot, compressedBytes);
        evict();
      });
      slots.delete(key);
      slots.set(key, slot);
      evict();
    },
    delete(key, selecting) {
      const slot = slots.get(key);
      const variant = slot && select(slot, selecting);
      if (slot === undefined || variant === undefined) return;
      if (slot.variants.length === 1) forget(key);
      else drop(slot, variant);
    },
    deleteUri(uri) {
      for (const key of byUri.get(uri) ?? []) forget(key);
    },
    retain(scopes) {
      retained = scopes;
      for (const [key, { scope }] of slots) if (!scopes.has(scope)) forget(key);
    },
    varyOf: (key) => slots.get(key)?.variants[0]?.vary ?? [],
    get bytes() {
      return bytes;
    },
    get size() {
      return slots.size;
    },
  };
}

/** The newest response whose selecting headers are the same (RFC 9111 §4.1). */
function select({ variants }: Slot, selecting: SelectingHeader): Variant | undefined {
  for (let i = 0; i < variants.length; i++) {
    const variant = variants[i] as Variant;
    const { vary, values } = variant;
    let n = 0;
    while (n < vary.length && selecting(vary[n] as string) === values[n]) n++;
    if (n === vary.length) return variant;
  }
  return undefined;
}

/** Reads and normalizes each header of one request once, when it is first asked for. */
export function selectingHeaders(sent: SentHeader): SelectingHeader {
  let known: Map<string, string> | undefined;
  return (name) => {
    known ??= new Map();
    let value = known.get(name);
    if (value === undefined) {
      value = normalized(sent(name));
      known.set(name, value);
    }
    return value;
  };
}

/** Longer values are compared as they are. */
const normalizedLengthMax = 2_048;

/** An absent header differs from an empty one; blanks around commas make no difference. */
function normalized(value: string | undefined): string {
  if (value === undefined) return '\0';
  if (value.length > normalizedLengthMax || !value.includes(',')) return value;
  return value.split(',').map(withoutBlanks).join(',');
}

/** Spaces and tabs alone: `trim` takes more, which an upstream may tell apart. A regular expression takes quadratic time. */
function withoutBlanks(member: string): string {
  let start = 0;
  let end = member.length;
  while (start < end && isBlank(member.charCodeAt(start))) start++;
  while (end > start && isBlank(member.charCodeAt(end - 1))) end--;
  return member.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/** Returns one text for the values of these request headers. */
export function variantKey(vary: readonly string[], selecting: SelectingHeader): string {
  return vary.map(selecting).join('\n');
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, i) => text === b[i]);
}

const slotBytes = 256;

function sizeOf({ bytes, said, headers }: StoredResponse, values: readonly string[]): number {
  let size = bytes.length + slotBytes + sizeOfHeaders(said);
  if (headers !== said) size += sizeOfHeaders(headers);
  for (const value of values) size += sizeOfText(value);
  return size;
}

function sizeOfHeaders(headers: ReplyHeaders): number {
  let size = 0;
  for (const [name, value] of Object.entries(headers)) size += sizeOfText(name) + sizeOfText(String(value));
  return size;
}

function sizeOfText(text: string): number {
  return 2 * text.length;
}
