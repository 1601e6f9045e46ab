import { createHash } from 'node:crypto';
import rateLimit from '@fastify/rate-limit';
import Fastify from 'fastify';
import { Histogram } from 'prom-client';

// Fastify with the work of the gateway: key, limit with headers, schema, request id, metrics, sampled log.
const [port, body, count, digests] = process.argv.slice(2);
const price = JSON.parse(String(body));
const known = new Set(String(digests).split(','));

const duration = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'How long requests took.',
  labelNames: ['method', 'route', 'status'],
});

const app = Fastify({ logger: true, disableRequestLogging: true, requestIdHeader: 'x-request-id' });
let responses = 0;
app.addHook('onRequest', async (request, reply) => {
  reply.header('x-request-id', request.id);
  if (request.url === '/health/ready') return;
  const key = request.headers['x-api-key'];
  if (typeof key !== 'string' || !known.has(createHash('sha256').update(key).digest('hex'))) {
    await reply.code(401).send({ error: 'unauthorized' });
  }
});
app.addHook('onResponse', async (request, reply) => {
  const { method, routeOptions } = request;
  duration.observe({ method, route: routeOptions.url ?? '', status: reply.statusCode }, reply.elapsedTime / 1_000);
  if (responses++ % 100 === 0) {
    request.log.info({ method, url: request.url, status: reply.statusCode, ms: reply.elapsedTime }, 'answered');
  }
});
await app.register(rateLimit, {
  max: 10_000_000,
  timeWindow: '1 minute',
  keyGenerator: (request) => String(request.headers['x-api-key']),
  enableDraftSpec: true,
});
app.get('/health/ready', async () => ({ status: 'ready' }));

const text = { type: 'string' };
const schema = {
  querystring: {
    type: 'object',
    required: ['symbol'],
    additionalProperties: false,
    properties: {
      symbol: { type: 'string', minLength: 1, maxLength: 32 },
      days: { type: 'integer', minimum: 1, maximum: 365, default: 1 },
    },
  },
  response: {
    200: {
      type: 'object',
      properties: { symbol: text, price_usd: { type: 'number' }, days: { type: 'integer' }, source: text },
    },
  },
};
for (let n = 0; n < Number(count); n++) {
  app.get(`/api/price${n}`, { schema }, async (request) => {
    const { symbol, days } = /** @type {{ symbol: string, days: number }} */ (request.query);
    return { ...price, symbol, days };
  });
}
await app.listen({ port: Number(port), host: '127.0.0.1' });
process.once('SIGTERM', () => process.exit());
