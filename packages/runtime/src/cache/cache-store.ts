import type { IncomingHttpHeaders } from 'node:http';
import type { ReplyHeaders } from '../contract/index.ts';
import type { Validators } from './conditions.ts';

/** An answer as it is kept. Times are in milliseconds by the cache's clock. */
export interface KeptAnswer extends Validators {
  readonly status: number;
  readonly contentType: string;
  readonly headers: ReplyHeaders;
  readonly bytes: Buffer;
  /** When it would have been of age 0. */
  readonly bornMs: number;
  readonly freshUntilMs: number;
}

/** What is known under one key: which request headers tell its answers apart, and the answers. */
interface Slot {
  readonly vary: readonly string[];
  readonly answers: Map<string, KeptAnswer>;
  size: number;
}

export interface CacheStoreOptions {
  readonly bytesMax: number;
  /** Answers to one address that differ by request headers. */
  readonly variantsMax?: number;
}

/** Answers within a bound of memory; the least recently asked for go first. */
export interface CacheStore {
  get(key: string, request: IncomingHttpHeaders): KeptAnswer | undefined;
  set(key: string, vary: readonly string[], request: IncomingHttpHeaders, answer: KeptAnswer): void;
  delete(key: string): void;
  /** What it holds, keys and headers included, as far as that can be told. */
  readonly bytes: number;
  readonly size: number;
}

export function createCacheStore({ bytesMax, variantsMax = 16 }: CacheStoreOptions): CacheStore {
  // In the order of their last use.
  const slots = new Map<string, Slot>();
  let bytes = 0;

  function forget(key: string): void {
    const slot = slots.get(key);
    if (slot === undefined) return;
    slots.delete(key);
    bytes -= slot.size;
  }

  return {
    get(key, request) {
      const slot = slots.get(key);
      if (slot === undefined) return undefined;
      slots.delete(key);
      slots.set(key, slot);
      return slot.answers.get(variantOf(slot.vary, request));
    },
    set(key, vary, request, answer) {
      let slot = slots.get(key);
      if (slot === undefined || slot.answers.size >= variantsMax || !isSame(slot.vary, vary)) {
        forget(key);
        slot = { vary, answers: new Map(), size: sizeOfText(key) + slotBytes };
        bytes += slot.size;
      }
      const variant = variantOf(vary, request);
      const before = slot.answers.get(variant);
      const grown = sizeOf(answer, variant) - (before === undefined ? 0 : sizeOf(before, variant));
      slot.answers.set(variant, answer);
      slot.size += grown;
      bytes += grown;
      slots.delete(key);
      slots.set(key, slot);
      for (const oldest of slots.keys()) {
        if (bytes <= bytesMax) break;
        forget(oldest);
      }
    },
    delete: forget,
    get bytes() {
      return bytes;
    },
    get size() {
      return slots.size;
    },
  };
}

const slotBytes = 256;

/** The values that tell a request from others of the same key (RFC 9111 §4.1). */
function variantOf(vary: readonly string[], request: IncomingHttpHeaders): string {
  if (vary.length === 0) return '';
  return vary.map((name) => String(request[name] ?? '\0').replaceAll(/\s*,\s*/g, ',')).join('\n');
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, i) => name === b[i]);
}

function sizeOf({ bytes, headers }: KeptAnswer, variant: string): number {
  let size = bytes.length + sizeOfText(variant) + slotBytes;
  for (const [name, value] of Object.entries(headers)) size += sizeOfText(name) + sizeOfText(String(value));
  return size;
}

function sizeOfText(text: string): number {
  return 2 * text.length;
}
