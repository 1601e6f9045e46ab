import type { RawReply } from '@rostergate/runtime/contract';
import type { StaffCall } from '../staff-call.ts';
import { type NamedTags, namesTag } from './entity-tags.ts';
import type { KeptAnswer } from './stored-replies.ts';

/** The call with a condition on what the upstream has tagged alone. */
export function withCondition(call: StaffCall, { others }: NamedTags): StaffCall {
  const { 'If-None-Match': condition, ...headers } = call.headers;
  if (condition === others) return call;
  return { ...call, headers: others === undefined ? headers : { ...headers, 'If-None-Match': others } };
}

/** Undefined when only the upstream can tell whether the caller's copy is this one. */
export function giveKept(answer: KeptAnswer, condition: string | undefined, nowMs: number): RawReply | undefined {
  const { reply, etag, isTagProven, startedMs } = answer;
  const headers = { ...reply.headers, Age: String(Math.max(0, Math.floor((nowMs - startedMs) / 1_000))) };
  if (condition === undefined || !namesTag(condition, etag)) return { ...reply, headers };
  return isTagProven ? notModified({ ...reply, headers }) : undefined;
}

export function namesOwn({ own }: NamedTags, { headers }: RawReply): boolean {
  return own.length > 0 && own.includes(String(headers?.ETag));
}

/** RFC 9110 §15.4.5. */
export function notModified({ contentType, headers }: RawReply): RawReply {
  return { status: 304, raw: '', contentType, headers: headers ?? {} };
}
