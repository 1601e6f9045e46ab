import type { ReplyHeaders } from '@rostergate/server';
import { observeCompressed } from '@rostergate/server/edge';
import type { SelectingHeader } from './fields.ts';

/** A response as it is stored. Times are in milliseconds of the cache's steady clock. */
export interface StoredResponse {
  readonly status: number;
  readonly contentType: string | undefined;
  /** The headers that the upstream sent, without Age. */
  readonly upstreamHeaders: ReplyHeaders;
  /** The headers that are sent to callers, without Age. */
  readonly headers: ReplyHeaders;
  readonly bytes: Buffer;
  /** The time at which its age was 0. */
  readonly bornMs: number;
  readonly freshUntilMs: number;
  readonly mayBeStale: boolean;
  readonly staleWhileRevalidateMs: number;
  readonly staleIfErrorMs: number;
}

/** Identifies an entry. */
export interface CacheKey {
  /** Path and query. */
  readonly uri: string;
  /** The configuration of the endpoint: another configuration has other entries. */
  readonly scope: string;
  /** The properties of the caller that the response may depend on; empty without a key. */
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
  /** How many responses of one key may differ by request headers. */
  readonly variantsMax?: number;
}

/** Stores responses within a memory limit; evicts the least recently used. */
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
  // In order of last use.
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

  function removeKey(key: string): void {
    const slot = slots.get(key);
    if (slot === undefined) return;
    slots.delete(key);
    const keys = byUri.get(slot.uri) as Set<string>;
    keys.delete(key);
    if (keys.size === 0) byUri.delete(slot.uri);
    grow(slot, -slot.size);
  }

  function removeVariant(slot: Slot, variant: Variant): void {
    slot.variants = slot.variants.filter((other) => other !== variant);
    grow(slot, -variant.size);
  }

  function evict(): void {
    for (const oldest of slots.keys()) {
      if (bytes <= bytesMax) break;
      removeKey(oldest);
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
      // A request that began before `retain` would store an entry that no request can find.
      if (retained !== undefined && !retained.has(parts.scope)) return;
      const slot = slots.get(key) ?? open(key, parts);
      const values = vary.map(selecting);
      const variant: Variant = { vary, values, response, size: sizeOf(response, values) };
      const replaced = slot.variants.find((other) => isSame(other.vary, vary) && isSame(other.values, values));
      if (replaced !== undefined) removeVariant(slot, replaced);
      if (slot.variants.length >= variantsMax) removeVariant(slot, slot.variants.at(-1) as Variant);
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
      if (slot.variants.length === 1) removeKey(key);
      else removeVariant(slot, variant);
    },
    deleteUri(uri) {
      for (const key of byUri.get(uri) ?? []) removeKey(key);
    },
    retain(scopes) {
      retained = scopes;
      for (const [key, { scope }] of slots) if (!scopes.has(scope)) removeKey(key);
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

/** Returns the newest response whose selecting headers match (RFC 9111 §4.1). */
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

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, i) => text === b[i]);
}

const slotBytes = 256;

function sizeOf({ bytes, upstreamHeaders, headers }: StoredResponse, values: readonly string[]): number {
  let size = bytes.length + slotBytes + sizeOfHeaders(upstreamHeaders);
  if (headers !== upstreamHeaders) size += sizeOfHeaders(headers);
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
