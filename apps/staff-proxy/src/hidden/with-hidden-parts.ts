import { Readable } from 'node:stream';
import type { RawReply } from '@rostergate/server';
import { rewriteBytes, rewriteStream } from '../json/json-rewriter.ts';
import { createOwnTag, namesTag } from '../reads/entity-tags.ts';
import type { SendCall } from '../staff-call.ts';
import { notTheContract } from '../upstream/upstream-problem.ts';
import type { HiddenParts } from './hidden-parts.ts';
import { createMemberBlanker, type MemberBlanker } from './member-blanker.ts';

/**
 * Blanks in every response the parts that are hidden from keys without the scope `admin`. The upstream's entity tag may
 * depend on hidden parts, so it is replaced by a tag of the visible ones in short responses, and dropped in streams.
 */
export function withHiddenParts(send: SendCall, { names, inResponseOf }: HiddenParts): SendCall {
  return (call, caller) => {
    const hidden = inResponseOf(call.operation.operationId);
    if (hidden === undefined) return send(call, caller);
    const { 'If-None-Match': condition, ...headers } = call.headers;
    return send({ ...call, headers }, caller).then((reply) =>
      hide(reply, createMemberBlanker({ names, isWhole: hidden === 'whole' }), condition),
    );
  };
}

function hide(reply: RawReply, blanker: MemberBlanker, condition: string | undefined): RawReply {
  const { status, raw, contentType } = reply;
  const { 'Content-Length': _length, ETag: _tag, ...headers } = reply.headers ?? {};
  if (!isUtf8(contentType)) {
    if (raw instanceof Readable) raw.destroy();
    throw notTheContract(status);
  }
  if (raw instanceof Readable) {
    return { status, contentType, headers, raw: rewriteStream(raw, blanker, status) };
  }
  const visible = rewriteBytes(Buffer.from(raw), blanker, status);
  const tag = createOwnTag(visible);
  const tagged = { ...headers, ETag: tag };
  return condition !== undefined && namesTag(condition, tag)
    ? { status: 304, raw: '', contentType, headers: tagged }
    : { status, raw: visible, contentType, headers: tagged };
}

/** The blanker finds no names in another character set. */
function isUtf8(contentType = ''): boolean {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(contentType) ?? [];
  return /^utf-?8$/i.test(charset);
}
