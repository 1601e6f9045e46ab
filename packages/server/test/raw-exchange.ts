import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawResponse {
  readonly status: number;
  /** Lower-case names with their values, in the order received. */
  readonly fields: readonly (readonly [string, string])[];
  readonly header: (name: string) => string | undefined;
  readonly body: string;
}

/** Sends bytes over a new connection and returns everything received until the server closes it. */
export async function exchange(port: number, ...parts: readonly (string | Buffer)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const text = readAll(socket);
  for (const part of parts) await write(socket, part);
  return text;
}

/** Returns everything received until the connection closes, also by an error. */
export async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => {});
  if (!socket.closed) await once(socket, 'close');
  return text;
}

/** Writes one packet; resolves when the next one can be written. */
function write(socket: Socket, part: string | Buffer): Promise<void> {
  return new Promise((resolve) => socket.write(part, 'latin1', () => setImmediate(resolve)));
}

/** Parses the responses received over a connection. Each needs a Content-Length. */
export function parseResponses(text: string): RawResponse[] {
  const responses: RawResponse[] = [];
  let rest = text;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    const fields = lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    });
    const header = (name: string) => fields.find(([found]) => found === name)?.[1];
    const length = Number(header('content-length') ?? 0);
    const body = rest.slice(end + 4, end + 4 + length);
    responses.push({ status: Number(statusLine.split(' ')[1]), fields, header, body });
    rest = rest.slice(end + 4 + length);
  }
  return responses;
}
