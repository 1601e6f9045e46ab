import { createServer } from 'node:http';

// The minimum of a Node server.
const [port, priceJson] = process.argv.slice(2);
const price = JSON.parse(String(priceJson));

createServer((_req, res) => {
  const body = JSON.stringify(price);
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
  res.end(body);
}).listen(Number(port), '127.0.0.1');
process.once('SIGTERM', () => process.exit());
