import Negotiator from 'negotiator';

/** The codings that answers are compressed with, the preferred one first. */
const codings = ['br', 'gzip'] as const;
export type Coding = (typeof codings)[number];

/** What a caller's `Accept-Encoding` comes to (RFC 9110 §12.5.3). */
export interface AcceptedCoding {
  /** What to compress with; undefined when the answer is to be sent as it is. */
  readonly coding: Coding | undefined;
  /** The caller takes nothing uncompressed, however short it is. */
  readonly isPlainRefused: boolean;
}

/** For callers that name no coding. */
export const plainOnly: AcceptedCoding = Object.freeze({ coding: undefined, isPlainRefused: false });

/** Longer ones are not looked into: no caller has so much to say. */
const headerLengthMax = 512;
const keptMax = 256;
const kept = new Map<string, AcceptedCoding>();

/** Reads an `Accept-Encoding`, each spelling once; there are few of them. */
export function acceptedCoding(header: string): AcceptedCoding {
  let accepted = kept.get(header);
  if (accepted === undefined) {
    if (header.length > headerLengthMax) return plainOnly;
    accepted = readHeader(header);
    if (kept.size >= keptMax) kept.clear();
    kept.set(header, accepted);
  }
  return accepted;
}

function readHeader(header: string): AcceptedCoding {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } }) as unknown as EncodingNegotiator;
  const acceptable = negotiator.encodings([...codings, 'identity'], { preferred: codings });
  const [first] = acceptable;
  return Object.freeze({
    coding: codings.find((coding) => coding === first),
    isPlainRefused: !acceptable.includes('identity'),
  });
}

/** As the library has it; its types are of an older one. */
interface EncodingNegotiator {
  encodings(available: readonly string[], options: { readonly preferred: readonly string[] }): string[];
}
