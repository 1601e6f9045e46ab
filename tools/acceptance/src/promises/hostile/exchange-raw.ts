import { connect } from 'node:net';

/** What came back on a socket until it was closed. */
export interface RawExchange {
  readonly text: string;
  /** Of each answer on it, in order. */
  readonly statuses: readonly number[];
  /** Why it ended, where the server has not closed it in good order. */
  readonly fault?: string;
}

export interface RawOptions {
  /** Says that nothing will follow. */
  readonly isEnded?: boolean;
}

const patienceMs = 15_000;

/** Writes bytes and reads until the server closes; never throws: a reset is an outcome too. */
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
    const deadline = setTimeout(() => socket.destroy(new Error('neither answered nor closed')), patienceMs);
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.once('end', () => socket.destroy());
    // Whoever refuses the rest of a long request closes while it is being written.
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

/** What is wrong with the responses as a rejection; undefined when each is a 4xx or `allowed`, in problem+json. */
export function refusalFault({ text, statuses, fault }: RawExchange, allowed?: number): string | undefined {
  const [status] = statuses;
  if (status === undefined) return fault ?? 'closed without an answer';
  if (statuses.some((one) => (one < 400 || one > 499) && one !== allowed))
    return `answered ${statuses.join(' and then ')}`;
  return problemFault(text, status);
}

/** The same where the request may be taken as well: it must be no failure of the server, and a problem if refused. */
export function answerFault({ text, statuses, fault }: RawExchange): string | undefined {
  const [status] = statuses;
  if (status === undefined) return fault ?? 'closed without an answer';
  if (status >= 500) return `answered ${status}`;
  return status < 400 ? undefined : problemFault(text, status);
}

function problemFault(text: string, status: number): string | undefined {
  const end = text.indexOf('\r\n\r\n');
  const head = text.slice(0, end);
  if (!/^content-type: application\/problem\+json\r?$/im.test(head)) return `${status} is no application/problem+json`;
  try {
    const problem = JSON.parse(text.slice(end + 4)) as { readonly status?: unknown; readonly code?: unknown };
    return problem.status === status && typeof problem.code === 'string' ? undefined : `${status} with a false problem`;
  } catch {
    return `${status} with a body that is no JSON`;
  }
}
