import { once } from 'node:events';
import { connect } from 'node:net';

export interface BytesResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Writes bytes to a socket of a server and reads the response until the server closes: for requests that no client sends. */
export async function exchangeBytes(
  url: string,
  bytes: string | Uint8Array,
  withinMs = 10_000,
): Promise<BytesResponse> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = Promise.race([once(socket, 'end'), once(socket, 'error')]);
  const deadline = setTimeout(
    () => socket.destroy(new Error('The server neither responded nor closed the connection.')),
    withinMs,
  );
  socket.write(bytes);
  await ended;
  clearTimeout(deadline);
  socket.destroy();
  return parseResponse(Buffer.concat(chunks).toString());
}

function parseResponse(text: string): BytesResponse {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...fields] = text.slice(0, end).split('\r\n');
  const headers = new Headers(
    fields.map((field): [string, string] => {
      const colon = field.indexOf(':');
      return [field.slice(0, colon), field.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(statusLine.split(' ')[1]), headers, text: text.slice(end + 4) };
}
