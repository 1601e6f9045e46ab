/** Text in all its forms. Images, fonts, archives and films are compressed by nature (and SVG is text). */
const compressible =
  /^(?:text\/|image\/svg\+xml|application\/(?:json|javascript|xml|yaml|x-yaml|x-ndjson|ndjson|jsonl|graphql|sql|wasm|x-www-form-urlencoded)\b|[\w.-]+\/[\w.-]+\+(?:json|xml|yaml|text)\b)/i;

const kept = new Map<string, boolean>();
const keptMax = 256;

/** Whether compressing a body of this media type is worth anything; each spelling is looked at once. */
export function isCompressibleType(contentType: string): boolean {
  // Mostly; to compare costs less than to look up a text that came with an answer.
  if (contentType === 'application/json') return true;
  let answer = kept.get(contentType);
  if (answer === undefined) {
    answer = compressible.test(contentType);
    // An upstream names types as it likes.
    if (kept.size >= keptMax) kept.clear();
    kept.set(contentType, answer);
  }
  return answer;
}
