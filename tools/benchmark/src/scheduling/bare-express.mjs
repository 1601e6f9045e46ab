import express from 'express';

const app = express();
app.get('/health/ready', (_req, res) => void res.json({ status: 'ready' }));
app.get('/route', (_req, res) => void res.json({ symbol: 'BTC', price: 64_250.5, at: '2026-11-21T09:30:00Z' }));
app.listen(Number(process.argv[2]), '127.0.0.1');
process.once('SIGTERM', () => process.exit());
