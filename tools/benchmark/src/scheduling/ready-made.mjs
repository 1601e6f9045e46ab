import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [port, file] = process.argv.slice(2);
const bytes = readFileSync(String(file));

createServer((_req, res) => {
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': bytes.length });
  res.end(bytes);
}).listen(Number(port), '127.0.0.1');
process.once('SIGTERM', () => process.exit());
