import type { Socket } from 'node:net';

export interface SeenRequest {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Calls back with each complete request of a socket (RFC 9112), as correct clients send them. */
export function readRequests(socket: Socket, onRequest: (request: SeenRequest) => void): void {
  let bytes: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (let taken = takeRequest(bytes); taken !== undefined; taken = takeRequest(bytes)) {
      bytes = taken.rest;
      onRequest(taken.request);
    }
  });
}

function takeRequest(bytes: Buffer): { readonly request: SeenRequest; readonly rest: Buffer } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...fields] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers = Object.fromEntries(
    fields.map((field) => {
      const colon = field.indexOf(':');
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
    }),
  );
  const [method = '', path = ''] = first.split(' ');
  const rest = bytes.subarray(end + 4);
  const body = headers['transfer-encoding'] === undefined ? takeLength(rest, headers) : takeChunks(rest);
  if (body === undefined) return undefined;
  return { request: { method, path, headers, body: body.text }, rest: rest.subarray(body.length) };
}

type Body = { readonly text: string; readonly length: number } | undefined;

function takeLength(bytes: Buffer, headers: Readonly<Record<string, string>>): Body {
  const length = Number(headers['content-length'] ?? 0);
  return bytes.length < length ? undefined : { text: bytes.toString('utf8', 0, length), length };
}

function takeChunks(bytes: Buffer): Body {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const length = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const next = lineEnd + 2 + length + 2;
    if (bytes.length < next) return undefined;
    if (length === 0) return { text: Buffer.concat(chunks).toString('utf8'), length: next };
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + length));
    at = next;
  }
}
