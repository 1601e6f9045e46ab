import { parseContentType } from '@rostergate/runtime/contract';
import { Problem } from '@rostergate/runtime/problem';

/** What was read of a body, as it goes on: bytes, and what they are where that is not what the caller wrote. */
export interface CheckedBytes {
  readonly bytes: Uint8Array;
  readonly mediaType: string | undefined;
}

/**
 * The bytes of a body that was held against a contract. JSON is written anew: of a name that comes twice the server
 * behind might read the other value than the one that was checked. Numbers stay as they were written.
 * @throws Problem `media_type_unsupported` for JSON that is not UTF-8 (RFC 8259 §8.1).
 */
export function createCheckedBytes(bytes: Buffer, contentType: string | undefined): CheckedBytes {
  const { mediaType, isUtf8 } = parseContentType(contentType);
  if (!/^application\/(?:[\w.-]+\+)?json$/.test(mediaType)) {
    return { bytes, mediaType: undefined };
  }
  if (!isUtf8) throw new Problem('media_type_unsupported', 'Send JSON in UTF-8.');
  return { bytes: Buffer.from(JSON.stringify(parseExactly(bytes.toString('utf8')))), mediaType };
}

interface RawJson {
  rawJSON(text: string): unknown;
}

function parseExactly(text: string): unknown {
  const revive = (_name: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
      ? (JSON as unknown as RawJson).rawJSON(context.source)
      : value;
  // As the reader before did: a byte order mark is no part of the text.
  return JSON.parse(text.replace(/^\uFEFF/, ''), revive as Parameters<typeof JSON.parse>[1]);
}
