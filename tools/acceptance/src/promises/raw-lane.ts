import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** One request as it is written, whether any client would send it or not. */
export interface RawRequest {
  readonly method: string;
  /** What stands between method and version. */
  readonly target: string;
  /** Lines without their end; `Host` is among them. */
  readonly fields: readonly string[];
  readonly body?: string;
  /** On a connection of its own, which is read until it is closed or nothing has come for a while. */
  readonly isAlone?: boolean;
}

export interface RawAnswer {
  /** 0 where there was no answer. */
  readonly status: number;
  /** The status line and all fields. */
  readonly head: string;
  readonly body: string;
  /** What came after it, to a request that was sent alone. */
  readonly more: string;
}

/** A connection that is kept for as long as the server keeps it, and made anew after that. */
interface RawLane {
  /** Never throws: what has gone wrong is an answer with status 0, and why in its head. */
  ask(request: RawRequest): Promise<RawAnswer>;
  end(): void;
}

const patienceMs = 15_000;
/** Whoever has the next request already answers it at once. */
const quietMs = 400;

function createRawLane(url: string): RawLane {
  const { hostname, port } = new URL(url);
  let socket: Socket | undefined;
  return {
    async ask({ method, target, fields, body = '', isAlone = false }) {
      const bytes = Buffer.from(
        `${method} ${target} HTTP/1.1\r\n${fields.map((field) => `${field}\r\n`).join('')}\r\n${body}`,
      );
      // The server may have ended a kept connection just when it was to be used.
      for (const isFresh of isAlone || socket === undefined ? [true] : [false, true]) {
        try {
          if (isFresh || socket === undefined) {
            socket?.destroy();
            socket = connect(Number(port), hostname);
            socket.on('error', () => {});
            await once(socket, 'connect');
          }
          const { answer, isKept } = await exchange(socket, bytes, { isHead: method === 'HEAD', isAlone });
          if (isAlone || !isKept) {
            socket.destroy();
            socket = undefined;
          }
          return answer;
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
): Promise<{ answer: RawAnswer; isKept: boolean }> {
  return new Promise((resolve, reject) => {
    let text = '';
    let quiet: NodeJS.Timeout | undefined;
    const finish = (end: () => void) => {
      clearTimeout(deadline);
      clearTimeout(quiet);
      socket.off('data', take).off('close', close);
      end();
    };
    const finishWhole = (answer: RawAnswer) =>
      finish(() => resolve({ answer, isKept: !/^connection: close\r?$/im.test(answer.head) }));
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
      else finish(() => resolve({ answer: answerOf(text, end, text.slice(end + 4).length), isKept: false }));
    };
    const deadline = setTimeout(() => finish(() => reject(new Error(`nothing for ${patienceMs} ms`))), patienceMs);
    socket.on('data', take).on('close', close).write(bytes);
  });
}

/** The first answer in what has come, once it is whole; one that ends with its connection never is. */
function readWhole(text: string, isHead: boolean): RawAnswer | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = text.slice(0, end);
  const status = Number(head.slice(9, 12));
  if (status < 200) return readWhole(text.slice(end + 4), isHead);
  const rest = text.slice(end + 4);
  if (isHead || status === 204 || status === 304) return answerOf(text, end, 0);
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  if (length !== undefined) return rest.length < Number(length) ? undefined : answerOf(text, end, Number(length));
  if (!/^transfer-encoding: *chunked/im.test(head)) return undefined;
  // What follows the last chunk is of another answer.
  const last = `\r\n${rest}`.indexOf(lastChunk);
  return last < 0 ? undefined : answerOf(text, end, last, last + lastChunk.length - 2);
}

const lastChunk = '\r\n0\r\n\r\n';

/** @param untilAt where it ends, counted like the length of its body from the end of its head */
function answerOf(text: string, end: number, bodyLength: number, untilAt = bodyLength): RawAnswer {
  const head = text.slice(0, end);
  const rest = text.slice(end + 4);
  const body = Buffer.from(rest.slice(0, bodyLength), 'latin1').toString();
  return { status: Number(head.slice(9, 12)), head, body, more: rest.slice(untilAt) };
}

/** Asks them all, so many abreast; `tell` hears of each answer. */
export async function askRaw<R extends RawRequest>(
  url: string,
  requests: readonly R[],
  tell: (request: R, answer: RawAnswer) => void,
  abreast = 24,
): Promise<void> {
  let next = 0;
  const drive = async () => {
    const lane = createRawLane(url);
    for (let n = next++; n < requests.length; n = next++) {
      const request = requests[n] as R;
      tell(request, await lane.ask(request));
    }
    lane.end();
  };
  await Promise.all(Array.from({ length: abreast }, drive));
}
