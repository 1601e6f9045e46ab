import express from 'express';

// Express with only its routes: no key, no limit, no validation, no log.
const [port, body, count] = process.argv.slice(2);
const price = JSON.parse(String(body));

const app = express();
for (let n = 0; n < Number(count); n++) app.get(`/api/price${n}`, (_req, res) => void res.json(price));
app.get('/health/ready', (_req, res) => void res.json({ status: 'ready' }));
app.listen(Number(port), '127.0.0.1');
process.once('SIGTERM', () => process.exit());
