import gateway from 'fast-gateway';

// As its README says, with nothing but forwarding: no key, no limit, no check, no log.
const [port, target] = process.argv.slice(2);
const server = gateway({ routes: [{ prefix: '/v2', prefixRewrite: '/v2', target: String(target) }] });
server.get('/health/ready', (_req, res) => res.send({ status: 'ready' }));
await server.start(Number(port), '127.0.0.1');
process.once('SIGTERM', () => process.exit());
