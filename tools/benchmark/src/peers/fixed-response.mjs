import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

// The minimum cost of a response, and a Staff Member API of minimal cost: every login succeeds, and every other request
// has the same response.
const [port, file] = process.argv.slice(2);
const bytes = readFileSync(String(file));
const token = Buffer.from(JSON.stringify({ access_token: 'token', token_type: 'bearer', expires_in: '3600' }));

createServer((req, res) => {
  req.resume();
  const body = req.url === '/v2/login' ? token : bytes;
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length, ETag: '"1"' });
  res.end(body);
}).listen(Number(port), '127.0.0.1');
process.once('SIGTERM', () => process.exit());
