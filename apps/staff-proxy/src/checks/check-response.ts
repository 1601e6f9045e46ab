import type { Steps } from '@rostergate/runtime/steps';
import type { AnswerRule, JudgeValue, Place } from './response-rules.ts';
import { cutList } from './cut-list.ts';

/** What became of holding an answer against the contract. */
export interface AnswerVerdict {
  /** `unchecked`: too much of it is in one piece to be looked at beside other work. */
  readonly outcome: 'sound' | 'broken' | 'unchecked';
  /** Some of what is wrong; without a value. */
  readonly places: readonly Place[];
}

/** Up to this length an answer is judged at once: it takes less than a millisecond. */
export const wholeBytesMax = 64 * 1024;
/** Half a millisecond's work. */
const partBytes = 32 * 1024;
/** Ten milliseconds' work, for what cannot be cut. */
const pieceBytesMax = 1024 * 1024;
const placesMax = 10;

const sound: AnswerVerdict = { outcome: 'sound', places: [] };
const unchecked: AnswerVerdict = { outcome: 'unchecked', places: [] };

/** Judges a short answer. */
function judgeShortAnswer(rule: AnswerRule, bytes: Uint8Array): AnswerVerdict {
  return verdictOn([judgeText(bytes, '', rule.judgeWhole)]);
}

/** Judges an answer in steps of a millisecond or so, a long list in parts. */
export function* judgeAnswerSteps(rule: AnswerRule, chunks: readonly Uint8Array[]): Steps<AnswerVerdict> {
  yield* rule.prepareSteps();
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  if (length <= wholeBytesMax) return judgeShortAnswer(rule, Buffer.concat(chunks));
  if (rule.listDepth !== 0) return yield* judgeListSteps(rule, rule.listDepth, chunks);
  return length > pieceBytesMax ? unchecked : judgeShortAnswer(rule, Buffer.concat(chunks));
}

function* judgeListSteps(rule: AnswerRule, depth: 1 | 2, chunks: readonly Uint8Array[]): Steps<AnswerVerdict> {
  const places: (Place | undefined)[] = [];
  const parts = cutList(chunks, { depth, partBytes, partBytesMax: pieceBytesMax });
  let elements = 0;
  for (let part = parts.next(); ; part = parts.next()) {
    if (part.done) return part.value || places.length > 0 ? verdictOn(places) : unchecked;
    if (part.value?.kind === 'around') places.unshift(judgeText(part.value.bytes, '', rule.judgeWhole));
    else if (part.value !== undefined) {
      const before = elements;
      const place = judgeText(part.value.bytes, '[]', (list) => {
        elements += (list as readonly unknown[]).length;
        // A comma at the end of the list leaves nothing behind itself.
        if (elements === before && before > 0) return notJson;
        return inWholeList(rule.judgeElements(list), rule.listPointer, before);
      });
      if (place !== undefined) places.push(place);
      if (places.length >= placesMax || place === notJson) return verdictOn(places);
    }
    yield;
  }
}

/** Where the place of a part is in the whole list. */
function inWholeList(place: Place | undefined, listPointer: string, before: number): Place | undefined {
  if (place === undefined) return undefined;
  const pointer = place.pointer.replace(/^\/(\d+)/, (_, index: string) => `${listPointer}/${before + Number(index)}`);
  return { ...place, pointer };
}

function judgeText(bytes: Uint8Array, brackets: '' | '[]', judge: JudgeValue): Place | undefined {
  let value: unknown;
  try {
    const text = utf8.decode(bytes);
    value = JSON.parse(brackets === '' ? text : `[${text}]`);
  } catch {
    // The parser's message would quote what it read.
    return notJson;
  }
  return judge(value);
}

function verdictOn(found: readonly (Place | undefined)[]): AnswerVerdict {
  const places = found.filter((place) => place !== undefined).slice(0, placesMax);
  return places.length === 0 ? sound : { outcome: 'broken', places };
}

/** JSON is UTF-8 between systems (RFC 8259 §8.1), without a mark in front. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const notJson: Place = Object.freeze({ pointer: '', detail: 'is no JSON' });
