import { Readable } from 'node:stream';
import type { RawReply } from '@rostergate/runtime/contract';
import { notTheContract } from '../broken-answer.ts';
import { createOwnTag, namesTag } from '../reads/entity-tags.ts';
import { rewriteBytes, rewriteStream } from '../upstream/json-body.ts';
import type { SendCall } from '../staff-call.ts';
import type { HiddenParts } from './hidden-parts.ts';
import { createMemberBlanker, type MemberBlanker } from './member-blanker.ts';

/**
 * Empties in every response what keys without the scope `admin` may not see, whatever the upstream shows to the account.
 * The upstream's entity tag may depend on what is hidden, so it never leaves: short responses get a tag of what is left.
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
  const left = rewriteBytes(Buffer.from(raw), blanker, status);
  const tag = createOwnTag(left);
  const tagged = { ...headers, ETag: tag };
  return condition !== undefined && namesTag(condition, tag)
    ? { status: 304, raw: '', contentType, headers: tagged }
    : { status, raw: left, contentType, headers: tagged };
}

/** What comes in another character set has names that are not found. */
function isUtf8(contentType = ''): boolean {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(contentType) ?? [];
  return /^utf-?8$/i.test(charset);
}
