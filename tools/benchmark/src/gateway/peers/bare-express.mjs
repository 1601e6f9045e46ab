import express from 'express';

// Express as it comes, with so many routes and nothing else: no key, no limit, no check, no log.
const [port, answer, count] = process.argv.slice(2);
const price = JSON.parse(String(answer));

const app = express();
for (let n = 0; n < Number(count); n++) app.get(`/api/price${n}`, (_req, res) => void res.json(price));
app.get('/health/ready', (_req, res) => void res.json({ status: 'ready' }));
app.listen(Number(port), '127.0.0.1');
process.once('SIGTERM', () => process.exit());
