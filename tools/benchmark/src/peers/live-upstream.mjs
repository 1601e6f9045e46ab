// An upstream of WebSockets that return each message, and of event streams that send an event in each interval.
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';

const [port, everyMs] = process.argv.slice(2);
const turns = 50;
/** @type {Set<import('node:http').ServerResponse>} */
const streams = new Set();
const server = createServer((req, res) => {
  if (req.url === '/plain') return res.end('plain');
  if (req.url !== '/events') return res.end();
  res.writeHead(200, { 'Content-Type': 'text/event-stream' });
  res.flushHeaders();
  streams.add(res);
  return res.on('close', () => streams.delete(res));
});
new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (webSocket) => {
  webSocket.on('error', () => {});
  webSocket.on('message', (data, isBinary) => webSocket.send(data, { binary: isBinary }));
});
// Each stream has its turn within the interval.
let turn = 0;
setInterval(() => {
  turn = (turn + 1) % turns;
  let n = 0;
  for (const res of streams) if (n++ % turns === turn) res.write(`data: ${Date.now()}\n\n`);
}, Number(everyMs) / turns);
server.listen({ port: Number(port), host: '127.0.0.1', backlog: 4_096 });
