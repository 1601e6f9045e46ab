import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

// A Staff Member API of minimal cost: every login succeeds, and every read has the same response.
const [port, file] = process.argv.slice(2);
const person = readFileSync(String(file));
const token = Buffer.from(JSON.stringify({ access_token: 'token', token_type: 'bearer', expires_in: '3600' }));

createServer((req, res) => {
  req.resume();
  const bytes = req.url === '/v2/login' ? token : person;
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': bytes.length, ETag: '"1"' });
  res.end(bytes);
}).listen(Number(port), '127.0.0.1');
process.once('SIGTERM', () => process.exit());
