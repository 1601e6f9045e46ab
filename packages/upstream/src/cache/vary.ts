/** Returns the value of a request header that is sent upstream, by lower-case name. */
export type SentHeader = (name: string) => string | undefined;

/** Returns the normalized value of a request header, for comparing two requests. */
export type SelectingHeader = (name: string) => string;

/** Creates a reader that normalizes each header of one request once, on first use. */
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

/** Longer values are compared unchanged. */
const normalizedLengthMax = 2_048;

/** An absent header differs from an empty one; spaces and tabs around commas are ignored. */
function normalized(value: string | undefined): string {
  if (value === undefined) return '\0';
  if (value.length > normalizedLengthMax || !value.includes(',')) return value;
  return value.split(',').map(withoutBlanks).join(',');
}

/** Trims spaces and tabs only: an upstream may distinguish others. A regular expression takes quadratic time. */
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

/** Returns the values of these request headers as one text. */
export function variantKey(vary: readonly string[], selecting: SelectingHeader): string {
  return vary.map(selecting).join('\n');
}
