import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// A server without logic: changes of its response times come from the machine. It is also an upstream of the gateway.
const pieces = 10;
const pauseMs = 20;

const server = createServer((req, res) => {
  req.resume();
  if (req.url !== '/stream') {
    res.writeHead(200, { 'Content-Type': 'application/json' }).end('{"bare":true}');
    return;
  }
  res.writeHead(200, { 'Content-Type': 'text/event-stream' });
  let sent = 0;
  const timer = setInterval(() => {
    res.write(`data: ${sent}\n\n`);
    if (++sent === pieces) res.end();
  }, pauseMs);
  res.once('close', () => clearInterval(timer));
}).listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ msg: 'listening', port })}\n`);
});
// Like the other servers, and longer than the load pauses.
server.keepAliveTimeout = 65_000;
process.once('SIGTERM', () => process.exit());
