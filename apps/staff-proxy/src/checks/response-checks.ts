import { Readable } from 'node:stream';
import type { OpenApiDocument, RawReply } from '@rostergate/server';
import { Problem } from '@rostergate/server/problem';
import { runInSlices, runSteps, type Steps } from '@rostergate/server/steps';
import type { Telemetry } from '@rostergate/server/telemetry';
import { waitUntil } from '@rostergate/upstream';
import pLimit, { type LimitFunction } from 'p-limit';
import { Counter } from 'prom-client';
import type { Settings } from '../settings.ts';
import type { Caller, SendCall, StaffCall } from '../staff-call.ts';
import { readBytes, rethrowAsBrokenOff } from '../upstream/upstream-problem.ts';
import {
  type CheckResult,
  checkResponseSteps,
  createRuleFinder,
  type FindRule,
  wholeBytesMax,
} from './check-response.ts';
import { createSampleQueue, type SampleQueue, tapBody } from './sample-queue.ts';

export interface ResponseChecksOptions {
  readonly mode: Settings['validate_responses'];
  /** Of each operation's responses, the first and then every n-th is checked. */
  readonly sampleEvery: number;
  /** Form and address of the upstream; a change restarts the samples. */
  readonly upstream: string;
  /** Name of the service account. */
  readonly account: string;
  /** With `strict`, how long a whole response may take, from the call on. */
  readonly timeoutMs: number;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  readonly checks: ResponseChecks;
}

/** The state of the checks that outlives configurations. */
export interface ResponseChecks {
  readonly findRule: FindRule;
  /** For responses that keep members which the contract lacks. */
  readonly findKeepingRule: FindRule;
  readonly report: ReportResult;
  readonly samples: SampleQueue;
  /** Limits the long responses that are held in memory at a time, of an account and of all accounts. */
  wholeReadsOf(account: string): Limit;
  /** Counts a response; true for the first of its operation and upstream, and then for every n-th. */
  isSampled(operationId: string, options: Pick<ResponseChecksOptions, 'sampleEvery' | 'upstream'>): boolean;
}

type Limit = <Result>(read: () => Promise<Result>) => Promise<Result>;
type ReportResult = (call: StaffCall, caller: Caller, status: number, result: CheckResult) => void;

export function createResponseChecks(
  document: OpenApiDocument,
  telemetry: Pick<Telemetry, 'registry' | 'log'>,
): ResponseChecks {
  let counted = '';
  const counts = new Map<string, number>();
  // Those of removed accounts stay: there are as few as edits.
  const wholeReads = new Map<string, LimitFunction>();
  const limitAll = pLimit(wholeReadsMax.ofAll);
  let findKeepingRule: FindRule | undefined;
  return {
    findRule: createRuleFinder(document),
    findKeepingRule(...response) {
      findKeepingRule ??= createRuleFinder(document, 'keep');
      return findKeepingRule(...response);
    },
    report: createReport(telemetry),
    samples: createSampleQueue({ bytesMax: sampledBytesMax }),
    wholeReadsOf(account) {
      const limit = wholeReads.get(account) ?? pLimit(wholeReadsMax.ofAccount);
      wholeReads.set(account, limit);
      return (read) => limit(() => limitAll(read));
    },
    isSampled(operationId, { sampleEvery, upstream }) {
      if (upstream !== counted) counts.clear();
      counted = upstream;
      const count = counts.get(operationId) ?? 0;
      counts.set(operationId, count + 1);
      return count % sampleEvery === 0;
    },
  };
}

/** Counts results and logs where a response violates the contract, never its values. */
function createReport({ registry, log }: Pick<Telemetry, 'registry' | 'log'>): ReportResult {
  const checked = new Counter({
    name: 'upstream_answers_checked_total',
    help: 'Upstream responses validated against the contract, by operation and outcome: sound, broken, or unchecked as too large.',
    labelNames: ['operation', 'outcome'],
    registers: [registry],
  });
  return ({ operation: { operationId: operation } }, { requestId }, status, { outcome, places }) => {
    checked.inc({ operation, outcome });
    if (outcome !== 'broken') return;
    const described = places.map(({ pointer, detail }) => `${pointer === '' ? 'the body' : pointer} ${detail}`);
    log.warn({ request_id: requestId, operation, status, places: described }, 'the upstream broke the contract');
  };
}

/** Size of all samples that wait for their check. */
const sampledBytesMax = 16 * 1024 * 1024;
/** Longest response that `strict` reads whole … */
const wholeReadBytesMax = 16 * 1024 * 1024;
/** … and how many at a time, until they are checked. An account takes a quarter of them at most. */
const wholeReadsMax = { ofAccount: 4, ofAll: 16 };

/**
 * Validates the upstream's responses against the contract: samples after they were sent, or with `strict` each before
 * it is sent, where an invalid one becomes a 502. Violations are counted, and logged by their place.
 */
export function withResponseChecks(send: SendCall, options: ResponseChecksOptions): SendCall {
  const { mode, checks } = options;
  if (mode === 'off') return send;
  if (mode === 'strict') return withStrictChecks(send, options);
  return (call, caller) =>
    send(call, caller).then((reply) => {
      const isSampled = hasBody(reply) && checks.isSampled(call.operation.operationId, options);
      return isSampled ? sample(reply, call, caller, checks) : reply;
    });
}

function sample(reply: RawReply, call: StaffCall, caller: Caller, checks: ResponseChecks): RawReply {
  const { status, raw } = reply;
  const collected = checks.samples.begin(
    (chunks) => checkSteps(reply, call, checks, chunks),
    (result) => checks.report(call, caller, status, result),
  );
  if (raw instanceof Readable) return { ...reply, raw: tapBody(raw, collected) };
  collected.add(bytesOf(raw));
  collected.finish();
  return reply;
}

function withStrictChecks(send: SendCall, { checks, account, timeoutMs, clock }: ResponseChecksOptions): SendCall {
  const limitWholeReads = checks.wholeReadsOf(account);
  return async (call, caller) => {
    const deadlineMs = clock() + timeoutMs;
    const reply = await send(call, caller);
    if (!hasBody(reply)) return reply;
    const { raw } = reply;
    if (!(raw instanceof Readable)) {
      const chunks = [bytesOf(raw)];
      const steps = checkSteps(reply, call, checks, chunks);
      return settle(reply, call, caller, checks, await checkNow(steps, chunks));
    }
    const work = limitWholeReads(async () => {
      const chunks = await readBytes(raw, wholeReadBytesMax, () => tooLong(reply.status)).catch(
        rethrowAsBrokenOff(reply.status),
      );
      const result = await checkNow(checkSteps(reply, call, checks, chunks), chunks);
      return settle({ ...reply, raw: Buffer.concat(chunks) }, call, caller, checks, result);
    });
    try {
      return await waitUntil(work, { deadlineMs, signal: caller.signal }, clock);
    } catch (error) {
      raw.destroy();
      throw error;
    }
  };
}

/** Checks a short response synchronously: a turn of the event loop would cost more. */
function checkNow(steps: Steps<CheckResult>, chunks: readonly Uint8Array[]): CheckResult | Promise<CheckResult> {
  return chunks.length === 1 && (chunks[0] as Uint8Array).length <= wholeBytesMax
    ? runSteps(steps)
    : runInSlices(steps);
}

function* checkSteps(
  { status, contentType }: RawReply,
  { operation, keepsUnknownMembers }: StaffCall,
  { findRule, findKeepingRule }: ResponseChecks,
  chunks: readonly Uint8Array[],
): Steps<CheckResult> {
  const find = keepsUnknownMembers === true ? findKeepingRule : findRule;
  const rule = find(operation.operationId, status, contentType ?? '');
  return 'pointer' in rule ? { outcome: 'broken', places: [rule] } : yield* checkResponseSteps(rule, chunks);
}

/** @throws Problem `upstream_failed` for all but a valid response. */
function settle(
  reply: RawReply,
  call: StaffCall,
  caller: Caller,
  { report }: ResponseChecks,
  result: CheckResult,
): RawReply {
  report(call, caller, reply.status, result);
  if (result.outcome === 'sound') return reply;
  const fault =
    result.outcome === 'broken'
      ? 'with a body that violates the contract. Try again later; if it persists, tell the operator of this proxy.'
      : 'with too much in one piece to be checked here. Ask for less.';
  throw new Problem('upstream_failed', `The upstream answered ${reply.status} ${fault}`);
}

function tooLong(status: number): Problem {
  const detail = `The upstream answered ${status} with more than ${wholeReadBytesMax} bytes, which is too much to be checked here. Ask for less.`;
  return new Problem('upstream_failed', detail);
}

/** A 304 refers to a response that was checked before. */
function hasBody({ status }: RawReply): boolean {
  return status !== 304 && status !== 204;
}

function bytesOf(raw: string | Uint8Array): Uint8Array {
  return typeof raw === 'string' ? Buffer.from(raw) : raw;
}
