/** One media range of an Accept header. */
export interface MediaRange {
  readonly type: string;
  /** In lower case. */
  readonly parameters: readonly string[];
  /** From 0 to 1. */
  readonly weight: number;
}

/** Returns the media ranges of an Accept header (RFC 9110 §12.5.1). An invalid weight is 1. */
export function mediaRanges(accept = ''): MediaRange[] {
  return (accept.toLowerCase().match(range) ?? []).map((text) => {
    const [type = '', ...parameters] = text.split(';').map((part) => part.trim());
    return { type, parameters, weight: weightOf(parameters) };
  });
}

/** A comma within quotes is part of a parameter. */
const range = /(?:[^,"]|"[^"]*")+/g;

function weightOf(parameters: readonly string[]): number {
  const weight = parameters.find((one) => one.startsWith('q='))?.slice(2);
  return weight !== undefined && /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 1;
}
