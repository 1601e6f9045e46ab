import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A request as raw text, valid or not. */
export interface RawRequest {
  readonly method: string;
  /** The request target. */
  readonly target: string;
  /** Header lines without their end, including `Host`. */
  readonly fields: readonly string[];
  readonly body?: string;
  /** Whether it gets its own connection, which is read until it closes or stays quiet. */
  readonly isAlone?: boolean;
}

export interface RawResponse {
  /** 0 without a response. */
  readonly status: number;
  /** The status line and all fields. */
  readonly head: string;
  readonly body: string;
  /** The bytes after the response, for a request on its own connection. */
  readonly more: string;
}

/** A kept-alive connection that reopens when the server closes it. */
interface RawLane {
  /** Never throws: an error is a response with status 0 and the reason in its head. */
  ask(request: RawRequest): Promise<RawResponse>;
  end(): void;
}

const patienceMs = 15_000;
/** A server that has read another request responds within this time. */
const quietMs = 400;

function createRawLane(url: string): RawLane {
  const { hostname, port } = new URL(url);
  let socket: Socket | undefined;
  return {
    async ask({ method, target, fields, body = '', isAlone = false }) {
      const bytes = Buffer.from(
        `${method} ${target} HTTP/1.1\r\n${fields.map((field) => `${field}\r\n`).join('')}\r\n${body}`,
      );
      // The server may close an idle connection just before its use.
      for (const isFresh of isAlone || socket === undefined ? [true] : [false, true]) {
        try {
          if (isFresh || socket === undefined) {
            socket?.destroy();
            socket = connect(Number(port), hostname);
            socket.on('error', () => {});
            await once(socket, 'connect');
          }
          const { response, isKeptAlive } = await exchange(socket, bytes, { isHead: method === 'HEAD', isAlone });
          if (isAlone || !isKeptAlive) {
            socket.destroy();
            socket = undefined;
          }
          return response;
        } catch (error) {
          socket?.destroy();
          socket = undefined;
          if (isFresh) return { status: 0, head: String(error), body: '', more: '' };
        }
      }
      throw new Error('unreachable');
    },
    end: () => socket?.destroy(),
  };
}

interface ExchangeOptions {
  readonly isHead: boolean;
  readonly isAlone: boolean;
}

function exchange(
  socket: Socket,
  bytes: Buffer,
  { isHead, isAlone }: ExchangeOptions,
): Promise<{ response: RawResponse; isKeptAlive: boolean }> {
  return new Promise((resolve, reject) => {
    let text = '';
    let quiet: NodeJS.Timeout | undefined;
    const finish = (end: () => void) => {
      clearTimeout(deadline);
      clearTimeout(quiet);
      socket.off('data', take).off('close', close);
      end();
    };
    const finishWhole = (response: RawResponse) =>
      finish(() => resolve({ response, isKeptAlive: !/^connection: close\r?$/im.test(response.head) }));
    const take = (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const whole = readWhole(text, isHead);
      if (whole === undefined) return;
      if (!isAlone) return finishWhole(whole);
      clearTimeout(quiet);
      quiet = setTimeout(finishWhole, quietMs, whole);
    };
    const close = () => {
      const end = text.indexOf('\r\n\r\n');
      const whole = readWhole(text, isHead);
      if (whole !== undefined) finishWhole(whole);
      else if (end < 0) finish(() => reject(new Error(`closed after ${text.length} bytes`)));
      else finish(() => resolve({ response: responseOf(text, end, text.slice(end + 4).length), isKeptAlive: false }));
    };
    const deadline = setTimeout(() => finish(() => reject(new Error(`nothing for ${patienceMs} ms`))), patienceMs);
    socket.on('data', take).on('close', close).write(bytes);
  });
}

/** Returns the first complete response; undefined for one that ends with its connection. */
function readWhole(text: string, isHead: boolean): RawResponse | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = text.slice(0, end);
  const status = Number(head.slice(9, 12));
  // After a 101 the connection is no longer HTTP.
  if (status === 101) return responseOf(text, end, text.length - end - 4);
  if (status < 200) return readWhole(text.slice(end + 4), isHead);
  const rest = text.slice(end + 4);
  if (isHead || status === 204 || status === 304) return responseOf(text, end, 0);
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  if (length !== undefined) return rest.length < Number(length) ? undefined : responseOf(text, end, Number(length));
  if (!/^transfer-encoding: *chunked/im.test(head)) return undefined;
  // Bytes after the last chunk belong to another response.
  const last = `\r\n${rest}`.indexOf(lastChunk);
  return last < 0 ? undefined : responseOf(text, end, last, last + lastChunk.length - 2);
}

const lastChunk = '\r\n0\r\n\r\n';

/** @param untilAt the end of the response, counted from the end of its head */
function responseOf(text: string, end: number, bodyLength: number, untilAt = bodyLength): RawResponse {
  const head = text.slice(0, end);
  const rest = text.slice(end + 4);
  const body = Buffer.from(rest.slice(0, bodyLength), 'latin1').toString();
  return { status: Number(head.slice(9, 12)), head, body, more: rest.slice(untilAt) };
}

/** Sends all requests, `abreast` at a time; calls `report` with each response. */
export async function askRaw<R extends RawRequest>(
  url: string,
  requests: readonly R[],
  report: (request: R, response: RawResponse) => void,
  abreast = 24,
): Promise<void> {
  let next = 0;
  const drive = async () => {
    const lane = createRawLane(url);
    for (let n = next++; n < requests.length; n = next++) {
      const request = requests[n] as R;
      report(request, await lane.ask(request));
    }
    lane.end();
  };
  await Promise.all(Array.from({ length: abreast }, drive));
}
