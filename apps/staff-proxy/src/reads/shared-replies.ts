import type { Readable } from 'node:stream';
import { fillBuffer } from '@rostergate/runtime/cache';
import type { RawReply } from '@rostergate/runtime/contract';
import { callerGone } from '@rostergate/runtime/upstream';
import type { Caller, SendCall, StaffCall } from '../staff-call.ts';
import type { BegunRead, CompanyChanges } from './company-changes.ts';
import { createOwnTag, isOwnTag } from './entity-tags.ts';
import type { TakeReply } from './pending-read.ts';
import type { KeptAnswers } from './stored-replies.ts';
import { Leader } from './leader.ts';
import type { ReadOutcome } from './read-metrics.ts';
import { restOfAnswer } from './rest-of-answer.ts';
import { SharedStream } from './shared-stream.ts';

export interface TakenAnswersOptions {
  /** Name of the service account whose reads these are. */
  readonly account: string;
  /** The writes of all accounts. */
  readonly changes: CompanyChanges;
  /** What is kept of the reads of all accounts; undefined when nothing is. */
  readonly kept: KeptAnswers | undefined;
  /** Milliseconds that never go back. */
  readonly clock: () => number;
  readonly onRead?: ((outcome: ReadOutcome) => void) | undefined;
}

/** A read as it goes out. */
export interface WantedRead {
  readonly key: string;
  readonly stamp: number;
  readonly call: StaffCall;
}

export type StreamReply = RawReply & { readonly raw: Readable };

/** What those who share a read take of its answer, and what is kept of it. */
export interface TakenAnswers {
  /** The answer as it is given to who asked for it; kept for others where it holds for them. */
  keep(wanted: WantedRead, begun: BegunRead, reply: RawReply, raw: string | Uint8Array): RawReply;
  /** What there is to take of an answer that is still on its way. `onClosed`: nobody may join any more. */
  takeArriving(
    wanted: WantedRead,
    begun: BegunRead,
    reply: StreamReply,
    leader: Caller,
    onClosed: () => void,
  ): Promise<TakeReply>;
}

export function createTakenAnswers(send: SendCall, options: TakenAnswersOptions): TakenAnswers {
  const { account, changes, kept, clock, onRead } = options;

  async function takeArriving(
    wanted: WantedRead,
    begun: BegunRead,
    reply: StreamReply,
    leader: Caller,
    onClosed: () => void,
  ): Promise<TakeReply> {
    if (leader.signal.aborted) {
      reply.raw.destroy();
      throw callerGone(true);
    }
    const arrived = kept && (await fillSoon(reply.raw));
    if (arrived === undefined) return stream(wanted, begun, reply, leader, onClosed);
    onClosed();
    const whole = keep(wanted, begun, reply, arrived);
    return () => whole;
  }

  function stream(
    wanted: WantedRead,
    begun: BegunRead,
    reply: StreamReply,
    leader: Caller,
    onSealed: () => void,
  ): TakeReply {
    const collection = reply.status === 200 ? kept?.collect() : undefined;
    const shared = new SharedStream({
      source: reply.raw,
      joinBytesMax,
      lagBytesMax,
      patienceMs,
      clock,
      onSealed,
      onChunk: collection?.add,
      onOver(isWhole) {
        const bytes = isWhole ? collection?.finish() : undefined;
        collection?.drop();
        if (bytes !== undefined) keep(wanted, begun, reply, bytes);
      },
      async resume(soFar, signal) {
        onRead?.('resumed');
        const again = await send(wanted.call, new Leader(leader, signal));
        return restOfAnswer(reply, again, soFar);
      },
    });
    return () => {
      const raw = shared.open();
      return raw && { ...reply, raw };
    };
  }

  function keep(wanted: WantedRead, begun: BegunRead, reply: RawReply, raw: string | Uint8Array): RawReply {
    if (kept === undefined || reply.status !== 200) return raw === reply.raw ? reply : { ...reply, raw };
    const bytes = typeof raw === 'string' ? Buffer.from(raw) : raw;
    const { 'Content-Length': _, ...said } = reply.headers ?? {};
    const etag = String(said.ETag ?? createOwnTag(bytes));
    const whole = { ...reply, raw: bytes, headers: { ...said, ETag: etag }, isKept: true };
    if (changes.isSettled(account, wanted.call.companyKey, begun)) {
      kept.set(wanted.key, { ...begun, reply: whole, etag, isTagProven: isOwnTag(etag) });
    }
    return whole;
  }

  return { keep, takeArriving };
}

/** Who comes while no more than this has come of an answer shares it. */
const joinBytesMax = 256 * 1024;
/** What one flight holds at most for a slow reader, and how long the others wait for it in all. */
const lagBytesMax = 1024 * 1024;
const patienceMs = 1_000;
/** An answer that is kept has its tag at once when it is this short and comes this soon; a longer one the next time. */
const soonBytesMax = 1024 * 1024;
const soonMs = 250;

/** The whole of an answer that is short and comes soon; else undefined, and nothing has been read of it. */
async function fillSoon(raw: Readable): Promise<Buffer | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, soonMs);
  try {
    return await fillBuffer(raw, soonBytesMax, late);
  } finally {
    clearTimeout(timer);
  }
}
