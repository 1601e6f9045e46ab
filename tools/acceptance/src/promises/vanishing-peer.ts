import { connect, createServer, type Socket } from 'node:net';
import { handshakeAccept } from './handshake-fields.ts';

/**
 * A process that the trial freezes or cuts off: `upstream HOST` listens and prints its port; `clients HOST PORT COUNT
 * BYTES` opens the connections, sends the bytes (a JSON string) on each, and prints `ready` after 200 ms.
 */
const [role, host = '', ...rest] = process.argv.slice(2);

/** The response to a request, by path. */
const responses: Readonly<Record<string, string>> = {
  '/whole': 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
  '/head': 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\n',
  '/events': 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n',
  '/socket': `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${handshakeAccept}\r\n\r\n`,
  '/silent': '',
};

if (role === 'upstream') {
  const server = createServer((socket) => {
    socket
      .on('error', () => undefined)
      .on('data', (chunk: Buffer) => {
        const path = /^\w+ (\/\w+)/.exec(chunk.toString('latin1'))?.[1] ?? '';
        socket.write(responses[path] ?? '', () => process.stdout.write(`served ${path}\n`));
      });
  });
  server.listen(0, host, () => {
    const { port } = server.address() as { port: number };
    process.stdout.write(`listening ${port}\n`);
  });
} else {
  const [port, count, bytes] = rest;
  const open = () =>
    new Promise<void>((resolve) => {
      const socket: Socket = connect(Number(port), host, () => {
        socket.write(JSON.parse(bytes ?? '""') as string);
        // Responses have arrived by then; the other requests get none.
        setTimeout(resolve, 200);
      });
      socket.on('error', () => resolve()).resume();
    });
  await Promise.all(Array.from({ length: Number(count) }, open));
  process.stdout.write('ready\n');
}
