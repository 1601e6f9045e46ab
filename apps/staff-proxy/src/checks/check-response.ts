import type { Steps } from '@rostergate/server/steps';
import { cutList } from './cut-list.ts';
import type { CheckValue, Place, ResponseRule } from './response-rules.ts';

export interface CheckResult {
  /** `unchecked`: a piece is too long to be checked without blocking other requests. */
  readonly outcome: 'sound' | 'broken' | 'unchecked';
  /** The first violations, without values. */
  readonly places: readonly Place[];
}

/** Up to this length a response is checked in one step: it takes less than a millisecond. */
export const wholeBytesMax = 64 * 1024;
/** Half a millisecond's work. */
const partBytes = 32 * 1024;
/** Ten milliseconds' work, for a part that cannot be cut. */
const pieceBytesMax = 1024 * 1024;
const placesMax = 10;

const sound: CheckResult = { outcome: 'sound', places: [] };
const unchecked: CheckResult = { outcome: 'unchecked', places: [] };

function checkShortResponse(rule: ResponseRule, bytes: Uint8Array): CheckResult {
  return resultOf([checkText(bytes, '', rule.checkWhole)]);
}

/** Checks a response in steps of about a millisecond, a long list in parts. */
export function* checkResponseSteps(rule: ResponseRule, chunks: readonly Uint8Array[]): Steps<CheckResult> {
  yield* rule.prepareSteps();
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  if (length <= wholeBytesMax) return checkShortResponse(rule, Buffer.concat(chunks));
  if (rule.listDepth !== 0) return yield* checkListSteps(rule, rule.listDepth, chunks);
  return length > pieceBytesMax ? unchecked : checkShortResponse(rule, Buffer.concat(chunks));
}

function* checkListSteps(rule: ResponseRule, depth: 1 | 2, chunks: readonly Uint8Array[]): Steps<CheckResult> {
  const places: (Place | undefined)[] = [];
  const parts = cutList(chunks, { depth, partBytes, partBytesMax: pieceBytesMax });
  let elements = 0;
  for (let part = parts.next(); ; part = parts.next()) {
    if (part.done) return part.value || places.length > 0 ? resultOf(places) : unchecked;
    if (part.value?.kind === 'around') places.unshift(checkText(part.value.bytes, '', rule.checkWhole));
    else if (part.value !== undefined) {
      const before = elements;
      const place = checkText(part.value.bytes, '[]', (list) => {
        elements += (list as readonly unknown[]).length;
        // A trailing comma is not JSON.
        if (elements === before && before > 0) return notJson;
        return inWholeList(rule.checkElements(list), rule.listPointer, before);
      });
      if (place !== undefined) places.push(place);
      if (places.length >= placesMax || place === notJson) return resultOf(places);
    }
    yield;
  }
}

/** Returns the place in the whole list of a place in a part. */
function inWholeList(place: Place | undefined, listPointer: string, before: number): Place | undefined {
  if (place === undefined) return undefined;
  const pointer = place.pointer.replace(/^\/(\d+)/, (_, index: string) => `${listPointer}/${before + Number(index)}`);
  return { ...place, pointer };
}

function checkText(bytes: Uint8Array, brackets: '' | '[]', check: CheckValue): Place | undefined {
  let value: unknown;
  try {
    const text = utf8.decode(bytes);
    value = JSON.parse(brackets === '' ? text : `[${text}]`);
  } catch {
    // The parser's message would quote what it read.
    return notJson;
  }
  return check(value);
}

function resultOf(found: readonly (Place | undefined)[]): CheckResult {
  const places = found.filter((place) => place !== undefined).slice(0, placesMax);
  return places.length === 0 ? sound : { outcome: 'broken', places };
}

/** JSON between systems is UTF-8 without a byte order mark (RFC 8259 §8.1). */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const notJson: Place = Object.freeze({ pointer: '', detail: 'is not JSON' });
