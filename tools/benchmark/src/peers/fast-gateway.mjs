import { createHash } from 'node:crypto';
import { rateLimit } from 'express-rate-limit';
import gateway from 'fast-gateway';

// Only forwards, as its README describes; with digests of keys, behind a key and a limit with default headers. No
// validation, no metrics, no log.
const [port, target, digests] = process.argv.slice(2);
const known = new Set(digests?.split(','));
const limit = rateLimit({
  windowMs: 60_000,
  limit: 10_000_000,
  keyGenerator: (req) => String(req.headers['x-api-key']),
  validate: false,
});

/**
 * @param {import('node:http').IncomingMessage} req
 * @param {import('node:http').ServerResponse} res
 * @param {() => void} next
 */
function checkKey(req, res, next) {
  const digest = createHash('sha256').update(String(req.headers['x-api-key'])).digest('hex');
  if (known.has(digest)) return next();
  res.statusCode = 401;
  res.end();
}

const middlewares = digests === undefined ? [] : [checkKey, limit];
const server = gateway({ routes: [{ prefix: '/v2', prefixRewrite: '/v2', target: String(target), middlewares }] });
server.get('/health/ready', (_req, res) => res.send({ status: 'ready' }));
await server.start(Number(port), '127.0.0.1');
process.once('SIGTERM', () => process.exit());
