import { finished, Readable } from 'node:stream';
import type { ExpressPolicy } from '@rostergate/endpoints';
import { type Context, isPending, type RawReply, type Reply } from '@rostergate/server';
import { problemMediaType, statusTexts } from '@rostergate/server/problem';
import { asServiceCode } from '../sources/service-origin.ts';
import type { AddressOf } from './addresses-policy.ts';
import { type CapturedResponse, captureResponse, setHead } from './captured-response.ts';
import { createPolicyRun, type PolicySteps, type RunOptions } from './policy-run.ts';

export interface ExpressOptions extends Pick<RunOptions, 'timeoutMs' | 'count'> {
  readonly addressOf: AddressOf;
}

/**
 * Returns the steps of a policy that is a middleware of Express. It gets a response of its own: what it ends becomes the
 * reply, and after `next()` the reply gets the headers that it set.
 */
export function createExpressSteps(
  { name, middleware }: ExpressPolicy,
  { addressOf, timeoutMs, count }: ExpressOptions,
): PolicySteps {
  const run = createPolicyRun({ name, timeoutMs, count, mayAnswer: () => true });
  const runMiddleware = asServiceCode(middleware, middleware);
  const passed = new WeakMap<Context, CapturedResponse>();

  function start(context: Context): Reply | undefined | Promise<Reply | undefined> {
    const { req } = context;
    const { url, method } = req;
    const captured = captureResponse(context);
    Object.defineProperty(req, 'ip', { value: addressOf(req), configurable: true });
    const outcome = createOutcome<Reply | undefined>();
    captured.capture((reply) => outcome.resolve(reply));
    const next = (error?: unknown): void => {
      if (error == null) outcome.resolve(undefined);
      else outcome.reject(error);
    };
    req.next = next;
    const returned = runMiddleware(req, captured.res, next);
    // Express 5 treats a rejection like next(error).
    if (isPending(returned))
      Promise.resolve(returned).catch((error) => next(error ?? new Error('It rejected without an error.')));
    const pass = (reply: Reply | undefined): Reply | undefined => {
      // The route was found and its address checked by these.
      if (req.url !== url) req.url = url;
      if (req.method !== method) req.method = method;
      if (reply === undefined) passed.set(context, captured);
      return reply;
    };
    const given = outcome.value();
    return isPending(given) ? given.then(pass, (error) => replyOf(error, context)) : pass(given);
  }

  function finish(reply: Reply, context: Context): Reply | Promise<Reply> {
    const captured = passed.get(context);
    if (captured === undefined) return reply;
    // A WebSocket has no body that a middleware could see.
    if (reply.status === 101 || !captured.isHooked()) return withHeaders(reply, captured.headers());
    const outcome = createOutcome<Reply>();
    captured.capture((hooked) => {
      // The length of the body that HEAD leaves out is unknown.
      const { raw } = context.req.method === 'HEAD' && hooked.raw === '' ? { raw: Readable.from([]) } : hooked;
      outcome.resolve(isLive(reply) ? { ...hooked, raw, live: reply.live } : { ...hooked, raw });
    });
    writeReply(reply, captured.res, (error) => {
      outcome.reject(error);
      captured.breakOff(error);
    });
    return outcome.value();
  }

  return {
    before: (context) =>
      run.before(context, () => {
        try {
          return start(context);
        } catch (error) {
          return replyOf(error, context);
        }
      }),
    after: (reply, context) => run.after(reply, context, () => finish(reply, context)),
  };
}

/** A value that is known at once, or later: the first one counts. */
interface Outcome<T> {
  resolve(value: T): void;
  reject(error: unknown): void;
  value(): T | Promise<T>;
}

function createOutcome<T>(): Outcome<T> {
  let settled: { readonly value: T } | { readonly error: unknown } | undefined;
  let wake: (() => void) | undefined;
  const settle = (given: NonNullable<typeof settled>) => {
    settled ??= given;
    wake?.();
  };
  const read = (): T => {
    if (settled !== undefined && 'value' in settled) return settled.value;
    throw settled?.error;
  };
  return {
    resolve: (value) => settle({ value }),
    reject: (error) => settle({ error }),
    value: () => (settled === undefined ? new Promise<void>((resolve) => (wake = resolve)).then(read) : read()),
  };
}

/** Returns the reply to an error with a client's status, as packages for Express create it; throws any other. */
function replyOf(error: unknown, { requestId }: Context): RawReply {
  const { status, statusCode, expose, message } = (error ?? {}) as Record<string, unknown>;
  const code = status ?? statusCode;
  const isProblem = error instanceof Error && error.name === 'Problem';
  if (isProblem || typeof code !== 'number' || !(code >= 400 && code < 500)) throw error;
  const body = {
    type: 'about:blank',
    title: statusTexts[code] ?? 'Error',
    status: code,
    ...(expose === true ? { detail: String(message) } : {}),
    request_id: requestId,
  };
  return { status: code, raw: JSON.stringify(body), contentType: problemMediaType };
}

/** Adds the headers of a middleware to a reply, whose own take precedence; Vary and cookies of both are sent. */
function withHeaders(reply: Reply, given: Readonly<Record<string, string | string[]>>): Reply {
  const names = Object.keys(given);
  if (names.length === 0) return reply;
  const headers: Record<string, string | readonly string[]> = {};
  const own = new Map(Object.entries(reply.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  for (const name of names) {
    const before = own.get(name);
    const value = given[name] as string | string[];
    if (name === 'content-type') continue;
    if (before === undefined) headers[name] = value;
    else if (name === 'set-cookie') own.set(name, [value, before].flat());
    else if (name === 'vary') own.set(name, [value, before].flat().join(', '));
  }
  for (const [name] of Object.entries(reply.headers ?? {})) headers[name] = own.get(name.toLowerCase()) as string;
  return { ...reply, headers };
}

function isLive(reply: Reply): reply is RawReply & Required<Pick<RawReply, 'live'>> {
  return 'live' in reply && reply.live !== undefined;
}

/** Writes a reply through the methods that a middleware has replaced; `onBroken` is called when its stream fails. */
function writeReply(reply: Reply, res: Context['res'], onBroken: (error: Error) => void): void {
  if (!('raw' in reply)) {
    setHead(res, reply.status, reply.body === undefined ? undefined : 'application/json', reply.headers);
    res.end(reply.body === undefined ? undefined : JSON.stringify(reply.body));
    return;
  }
  setHead(res, reply.status, reply.contentType, reply.headers);
  const { raw } = reply;
  if (!(raw instanceof Readable)) {
    res.end(raw);
    return;
  }
  // HEAD has no body: reading it would run the generator of a service.
  if (res.req.method === 'HEAD') {
    raw.destroy();
    res.end();
    return;
  }
  raw.on('data', (chunk) => {
    if (!res.write(chunk)) raw.pause();
  });
  res.on('drain', () => raw.resume());
  raw.once('end', () => res.end());
  finished(raw, { writable: false }, (error) => {
    if (error) onBroken(error);
  });
  res.once('close', () => raw.destroy());
}
