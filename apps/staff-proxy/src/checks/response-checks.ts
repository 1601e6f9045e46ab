import { Readable } from 'node:stream';
import type { OpenApiDocument, RawReply } from '@rostergate/runtime/contract';
import { Problem } from '@rostergate/runtime/problem';
import { runInSlices, runSteps, type Steps } from '@rostergate/runtime/steps';
import type { Telemetry } from '@rostergate/runtime/telemetry';
import { waitUntil } from '../accounts/wait-until.ts';
import type { Settings } from '../settings.ts';
import type { Caller, SendCall, StaffCall } from '../staff-call.ts';
import { createAnswerContract, type FindRule } from './response-rules.ts';
import { createAnswerReport, type ReportAnswer } from './answer-report.ts';
import { type AnswerVerdict, judgeAnswerSteps, wholeBytesMax } from './check-response.ts';
import { readWhole } from './read-whole.ts';
import { createSampleDesk, type SampleDesk } from './sample-queue.ts';
import { tapBody } from './tap-body.ts';
import { createTurns, type Turns } from './turns.ts';

export interface AnswerChecksOptions {
  readonly mode: Settings['validate_responses'];
  /** Of each operation's answers the first is checked, and then one in so many. */
  readonly sampleEvery: number;
  /** Who answers, and in what form: an edit that changes it begins the samples anew. */
  readonly upstream: string;
  /** Name of the service account whose answers these are. */
  readonly account: string;
  /** With `strict`, how long a whole answer may take, from the call on. */
  readonly timeoutMs: number;
  /** Milliseconds that never go back. */
  readonly clock: () => number;
  readonly checks: AnswerChecks;
}

/** What outlives a configuration: what answers are held against, whose turn it is, and what waits to be looked at. */
export interface AnswerChecks {
  readonly findRule: FindRule;
  readonly report: ReportAnswer;
  readonly samples: SampleDesk;
  /** Long answers of an account that are read whole, all of whose bytes are kept meanwhile. */
  wholeReadsOf(account: string): Turns;
  /** Counts an answer; true for the first of its operation and upstream, and then for one in so many. */
  isDue(operationId: string, options: Pick<AnswerChecksOptions, 'sampleEvery' | 'upstream'>): boolean;
}

export function createAnswerChecks(
  document: OpenApiDocument,
  telemetry: Pick<Telemetry, 'registry' | 'log'>,
): AnswerChecks {
  let counted = '';
  const counts = new Map<string, number>();
  // Accounts that an edit has taken away stay, idle: they are as few as edits.
  const wholeReads = new Map<string, Turns>();
  return {
    findRule: createAnswerContract(document),
    report: createAnswerReport(telemetry),
    samples: createSampleDesk({ bytesMax: sampledBytesMax }),
    wholeReadsOf(account) {
      const turns = wholeReads.get(account) ?? createTurns(wholeReadsMax);
      wholeReads.set(account, turns);
      return turns;
    },
    isDue(operationId, { sampleEvery, upstream }) {
      if (upstream !== counted) counts.clear();
      counted = upstream;
      const count = counts.get(operationId) ?? 0;
      counts.set(operationId, count + 1);
      return count % sampleEvery === 0;
    },
  };
}

/** What all samples may weigh that are kept at a time. */
const sampledBytesMax = 16 * 1024 * 1024;
/** What one answer may weigh that is read whole before it is sent on … */
const wholeReadBytesMax = 16 * 1024 * 1024;
/** … and how many of an account at a time: 64 MiB, whatever is asked for, and no account waits for another. */
const wholeReadsMax = 4;

/**
 * Holds the upstream's answers against the contract: samples of them when they have been sent, or each before it is,
 * when a broken one becomes a 502. What is wrong is counted and logged by its place.
 */
export function withAnswerChecks(send: SendCall, options: AnswerChecksOptions): SendCall {
  const { mode, checks } = options;
  if (mode === 'off') return send;
  if (mode === 'strict') return withStrictChecks(send, options);
  return (call, caller) =>
    send(call, caller).then((reply) => {
      const isDue = hasBody(reply) && checks.isDue(call.operation.operationId, options);
      return isDue ? keepSample(reply, call, caller, checks) : reply;
    });
}

function keepSample(reply: RawReply, call: StaffCall, caller: Caller, checks: AnswerChecks): RawReply {
  const { status, raw } = reply;
  const sample = checks.samples.begin(
    (chunks) => judgeSteps(reply, call, checks, chunks),
    (verdict) => checks.report(call, caller, status, verdict),
  );
  if (raw instanceof Readable) return { ...reply, raw: tapBody(raw, sample) };
  sample.add(bytesOf(raw));
  sample.finish();
  return reply;
}

function withStrictChecks(send: SendCall, { checks, account, timeoutMs, clock }: AnswerChecksOptions): SendCall {
  const wholeReads = checks.wholeReadsOf(account);
  return async (call, caller) => {
    const deadlineMs = clock() + timeoutMs;
    const reply = await send(call, caller);
    if (!hasBody(reply)) return reply;
    const { raw } = reply;
    if (!(raw instanceof Readable)) {
      const chunks = [bytesOf(raw)];
      const steps = judgeSteps(reply, call, checks, chunks);
      return settle(reply, call, caller, checks, await judgeNow(steps, chunks));
    }
    const turn = wholeReads.take();
    const work = turn.then(async (end) => {
      try {
        const chunks = await readWhole(reply, wholeReadBytesMax);
        const verdict = await judgeNow(judgeSteps(reply, call, checks, chunks), chunks);
        return settle({ ...reply, raw: Buffer.concat(chunks) }, call, caller, checks, verdict);
      } finally {
        end();
      }
    });
    try {
      return await waitUntil(work, { deadlineMs, signal: caller.signal }, clock);
    } catch (error) {
      raw.destroy();
      throw error;
    }
  };
}

/** Short ones at once: a turn of the loop would cost more than it gives. */
function judgeNow(steps: Steps<AnswerVerdict>, chunks: readonly Uint8Array[]): AnswerVerdict | Promise<AnswerVerdict> {
  return chunks.length === 1 && (chunks[0] as Uint8Array).length <= wholeBytesMax
    ? runSteps(steps)
    : runInSlices(steps);
}

function* judgeSteps(
  { status, contentType }: RawReply,
  { operation }: StaffCall,
  { findRule }: AnswerChecks,
  chunks: readonly Uint8Array[],
): Steps<AnswerVerdict> {
  const rule = findRule(operation.operationId, status, contentType ?? '');
  return 'pointer' in rule ? { outcome: 'broken', places: [rule] } : yield* judgeAnswerSteps(rule, chunks);
}

/** @throws Problem `upstream_failed` for all but a sound answer: what strict sends on has been looked at. */
function settle(
  reply: RawReply,
  call: StaffCall,
  caller: Caller,
  { report }: AnswerChecks,
  verdict: AnswerVerdict,
): RawReply {
  report(call, caller, reply.status, verdict);
  if (verdict.outcome === 'sound') return reply;
  const fault =
    verdict.outcome === 'broken'
      ? 'with what the contract does not allow. Try again later; if it lasts, tell the operator of this proxy.'
      : 'with more in one piece than can be checked here. Ask for less.';
  throw new Problem('upstream_failed', `The upstream answered ${reply.status} ${fault}`);
}

/** A 304 stands for an answer that was checked in its time. */
function hasBody({ status }: RawReply): boolean {
  return status !== 304 && status !== 204;
}

function bytesOf(raw: string | Uint8Array): Uint8Array {
  return typeof raw === 'string' ? Buffer.from(raw) : raw;
}
