import { connect, createServer, type Socket } from 'node:net';

/**
 * A process that is frozen, or cut off, by the trial that started it: `upstream HOST` listens and prints its port;
 * `clients HOST PORT COUNT BYTES` opens so many connections, sends the bytes (JSON) on each, and prints `ready`
 * once each has been answered, or had its time.
 */
const [role, host = '', ...rest] = process.argv.slice(2);

/** By path: what is sent in response to a request. */
const responses: Readonly<Record<string, string>> = {
  '/whole': 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
  '/head': 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\n',
  '/events': 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n',
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
        // What is answered is answered by then; the rest is silent on purpose.
        setTimeout(resolve, 200);
      });
      socket.on('error', () => resolve()).resume();
    });
  await Promise.all(Array.from({ length: Number(count) }, open));
  process.stdout.write('ready\n');
}
