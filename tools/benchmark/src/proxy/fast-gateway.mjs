import gateway from 'fast-gateway';

// Only forwards, as its README describes: no key, no limit, no validation, no log.
const [port, target] = process.argv.slice(2);
const server = gateway({ routes: [{ prefix: '/v2', prefixRewrite: '/v2', target: String(target) }] });
server.get('/health/ready', (_req, res) => res.send({ status: 'ready' }));
await server.start(Number(port), '127.0.0.1');
process.once('SIGTERM', () => process.exit());
