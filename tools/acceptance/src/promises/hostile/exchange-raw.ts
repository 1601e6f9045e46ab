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
