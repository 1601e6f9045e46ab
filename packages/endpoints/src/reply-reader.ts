import { startPatternBudget } from '@rostergate/server';
import { didYouMean, faultsMax } from '@rostergate/server/problem';
import type { z } from 'zod';
import type { Service } from './endpoint.ts';
import { isHeaderValue } from './endpoint-upstream.ts';
import {
  type HeaderDefinitions,
  isEventStream,
  type ResponseDefinition,
  type ServerSentEvent,
  type Streamed,
} from './service-responses.ts';
import { isTransforming } from './service-validation.ts';

/** A stream that a service returned. */
export interface ReplyStream {
  readonly source: Streamed<unknown>;
  readonly contentType: string;
  readonly isEvents: boolean;
  readonly heartbeatMs: number;
  /** Returns the text or bytes of an item. @throws Error for an item that is not as declared. */
  readonly toChunk: (item: unknown) => string | Uint8Array;
}

/** A returned value that is as declared. */
export interface CheckedReply {
  readonly status: number;
  readonly body?: unknown;
  readonly stream?: ReplyStream;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** Returns the check of what `handle` returns. It throws an Error, which becomes a 500, for an undeclared response. */
export function createReplyReader({ name, replies = {} }: Service): (returned: unknown) => CheckedReply {
  const readers = new Map(
    Object.entries(replies).map(([status, definition]) => [
      Number(status),
      createStatusReader(`The service ${name}`, Number(status), definition as ResponseDefinition),
    ]),
  );
  const known = [...readers.keys()].join(', ');
  return (returned) => {
    const { status } = (returned ?? {}) as { readonly status?: unknown };
    const read = readers.get(status as number);
    if (read !== undefined) return read(returned as ReturnedReply);
    const what = typeof status === 'number' ? `the undeclared status ${status}` : 'no status';
    throw new Error(`The service ${name} returned ${what}. Return { status, body, headers } with one of ${known}.`);
  };
}

interface ReturnedReply {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, unknown>>;
}

function createStatusReader(
  who: string,
  status: number,
  { body, stream, data, headers = {}, heartbeatMs = 15_000 }: ResponseDefinition,
): (returned: ReturnedReply) => CheckedReply {
  const where = `${who} returned ${status}`;
  const readHeaders = createHeaderReader(where, headers);
  const checkBody =
    body && createValueCheck(body, (faults) => `${where} with a body that is not as declared. ${faults}`);
  const isEvents = stream !== undefined && isEventStream(stream);
  const toChunk = isEvents ? createEventWriter(where, data) : (item: unknown) => bytesOf(where, item);
  return (returned) => {
    const sent = readHeaders(returned.headers);
    const base = sent === undefined ? { status } : { status, headers: sent };
    if (checkBody !== undefined) return { ...base, body: checkBody(returned.body) };
    if (stream !== undefined) {
      if (!isIterable(returned.body)) throw new Error(`${where} without a stream: return a generator as the body.`);
      return { ...base, stream: { source: returned.body, contentType: stream, isEvents, heartbeatMs, toChunk } };
    }
    if (returned.body === undefined) return base;
    throw new Error(`${where} with a body, which responses does not declare.`);
  };
}

function createValueCheck(schema: z.ZodType, describe: (faults: string) => string): (value: unknown) => unknown {
  if (isTransforming(schema)) return (value) => value;
  return (value) => {
    startPatternBudget();
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const faults = parsed.error.issues.slice(0, faultsMax);
    throw new Error(describe(faults.map(({ path, message }) => [...path, message].join(': ')).join('; ')));
  };
}

function createHeaderReader(where: string, definitions: HeaderDefinitions) {
  const known = Object.entries(definitions).map(([name, schema]) => ({
    name,
    check: createValueCheck(schema, (faults) => `${where} with an invalid header ${name}. ${faults}`),
  }));
  return (given: ReturnedReply['headers'] = {}): Record<string, string | readonly string[]> | undefined => {
    for (const name of Object.keys(given)) {
      if (!Object.hasOwn(definitions, name)) {
        const hint = didYouMean(name, Object.keys(definitions));
        throw new Error(`${where} with the header ${name}, which responses does not declare.${hint}`);
      }
    }
    if (known.length === 0) return undefined;
    const sent: Record<string, string | readonly string[]> = {};
    for (const { name, check } of known) {
      const value = check(given[name]);
      if (value !== undefined) sent[name] = toHeader(value, `${where} with the header ${name}`);
    }
    return sent;
  };
}

function toHeader(value: unknown, where: string): string | readonly string[] {
  if (Array.isArray(value)) return value.map((one) => toHeader(one, where) as string);
  if (!['string', 'number', 'boolean'].includes(typeof value)) throw new Error(`${where}, whose value is no text.`);
  const text = String(value);
  // A line end would begin another header or response.
  if (!isHeaderValue(text)) throw new Error(`${where}, whose value is not printable ASCII.`);
  return text;
}

/** Returns the writer of events (HTML, server-sent events). */
function createEventWriter(where: string, data: z.ZodType | undefined): (item: unknown) => string {
  const check =
    data && createValueCheck(data, (faults) => `${where} with an event whose data is not as declared. ${faults}`);
  return (item) => {
    if (typeof item !== 'object' || item === null) throw new Error(`${where} with an event that is no object.`);
    const { event, data: value, id, retry } = item as Partial<ServerSentEvent>;
    const checked = check === undefined ? value : check(value);
    const text = typeof checked === 'string' ? checked : JSON.stringify(checked);
    if (text === undefined) throw new Error(`${where} with an event without data.`);
    let lines = '';
    if (event !== undefined) lines += `event: ${oneLine(event, 'event', where)}\n`;
    if (id !== undefined) lines += `id: ${oneLine(id, 'id', where)}\n`;
    if (retry !== undefined) {
      if (!Number.isSafeInteger(retry) || retry < 0)
        throw new Error(`${where} with an event whose retry is no number.`);
      lines += `retry: ${retry}\n`;
    }
    for (const line of text.split(/\r\n|\r|\n/)) lines += `data: ${line}\n`;
    return `${lines}\n`;
  };
}

/** A line end would begin another field or event; browsers ignore an id with NUL. */
function oneLine(value: unknown, field: string, where: string): string {
  if (typeof value === 'string' && !/[\r\n\0]/.test(value)) return value;
  throw new Error(`${where} with an event whose ${field} is not one line of text.`);
}

function bytesOf(where: string, item: unknown): string | Uint8Array {
  if (typeof item === 'string' || item instanceof Uint8Array) return item;
  throw new Error(`${where} with a stream of ${typeof item}: yield text or bytes.`);
}

function isIterable(value: unknown): value is Streamed<unknown> {
  return typeof value === 'object' && value !== null && (Symbol.asyncIterator in value || Symbol.iterator in value);
}
