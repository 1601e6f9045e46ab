import { connect } from 'node:net';

/** The bytes received on a socket until it was closed. */
export interface RawExchange {
  readonly text: string;
  /** The status of each response, in order. */
  readonly statuses: readonly number[];
  /** Why the connection ended, if the server did not close it properly. */
  readonly fault?: string;
}

export interface RawOptions {
  /** Whether to close the sending side after the bytes. */
  readonly isEnded?: boolean;
}

const patienceMs = 15_000;

/** Writes bytes and reads until the server closes; never throws: a reset is a result. */
export function exchangeRaw(
  url: string,
  bytes: Uint8Array,
  { isEnded = false }: RawOptions = {},
): Promise<RawExchange> {
  const { port, hostname } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    const chunks: Buffer[] = [];
    let fault: string | undefined;
    const deadline = setTimeout(() => socket.destroy(new Error('no response and no close')), patienceMs);
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.once('end', () => socket.destroy());
    // A server that rejects a long request closes during the write.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      fault ??= error.code ?? error.message;
    });
    socket.once('close', () => {
      clearTimeout(deadline);
      const text = Buffer.concat(chunks).toString('latin1');
      const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
      resolve({ text, statuses, ...(fault === undefined ? {} : { fault }) });
    });
    if (isEnded) socket.end(bytes);
    else socket.write(bytes);
  });
}

/** Returns why the responses are no rejection; undefined when each is a 4xx or `allowed`, in problem+json. */
export function rejectionFault({ text, statuses, fault }: RawExchange, allowed?: number): string | undefined {
  const [status] = statuses;
  if (status === undefined) return fault ?? 'closed without a response';
  if (statuses.some((one) => (one < 400 || one > 499) && one !== allowed)) return `statuses ${statuses.join(', ')}`;
  return problemFault(text, status);
}

/** Returns why the response is wrong; any 2xx or 3xx, and any rejection as a problem, is right. */
export function responseFault({ text, statuses, fault }: RawExchange): string | undefined {
  const [status] = statuses;
  if (status === undefined) return fault ?? 'closed without a response';
  if (status >= 500) return `status ${status}`;
  return status < 400 ? undefined : problemFault(text, status);
}

function problemFault(text: string, status: number): string | undefined {
  const end = text.indexOf('\r\n\r\n');
  const head = text.slice(0, end);
  if (!/^content-type: application\/problem\+json\r?$/im.test(head)) return `${status} is not application/problem+json`;
  try {
    const problem = JSON.parse(text.slice(end + 4)) as { readonly status?: unknown; readonly code?: unknown };
    return problem.status === status && typeof problem.code === 'string' ? undefined : `${status} with a wrong problem`;
  } catch {
    return `${status} with a body that is not JSON`;
  }
}
