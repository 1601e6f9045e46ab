import { createHash } from 'node:crypto';
import express from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { rateLimit } from 'express-rate-limit';

// Express with a limit and a validator, assembled as their READMEs describe.
const [port, body, count, digests] = process.argv.slice(2);
const price = JSON.parse(String(body));
const known = new Set(String(digests).split(','));
const paths = Array.from({ length: Number(count) }, (_, n) => `/api/price${n}`);

const operation = {
  security: [{ ApiKey: [] }],
  parameters: [
    { name: 'symbol', in: 'query', required: true, schema: { type: 'string', minLength: 1, maxLength: 32 } },
    { name: 'days', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 365, default: 1 } },
  ],
  responses: { 200: { description: 'The price.', content: { 'application/json': { schema: { type: 'object' } } } } },
};
const apiSpec = /** @type {import('express-openapi-validator/dist/framework/types.js').OpenAPIV3.DocumentV3} */ ({
  openapi: '3.0.3',
  info: { title: 'Prices', version: '1.0.0' },
  paths: Object.fromEntries(paths.map((path) => [path, { get: operation }])),
  components: { securitySchemes: { ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } } },
});

const app = express();
app.get('/health/ready', (_req, res) => void res.json({ status: 'ready' }));
app.use(
  rateLimit({
    windowMs: 60_000,
    limit: 10_000_000,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    ipv6Subnet: 56,
    keyGenerator: (req) => String(req.headers['x-api-key']),
  }),
);
app.use(express.json());
app.use(express.text());
app.use(express.urlencoded({ extended: false }));
app.use(
  OpenApiValidator.middleware({
    apiSpec,
    validateRequests: true,
    validateResponses: false,
    validateSecurity: {
      handlers: {
        ApiKey: (req) => known.has(createHash('sha256').update(String(req.headers['x-api-key'])).digest('hex')),
      },
    },
  }),
);
for (const path of paths) {
  app.get(path, (req, res) => void res.json({ ...price, symbol: req.query.symbol, days: req.query.days }));
}
app.listen(Number(port), '127.0.0.1');
process.once('SIGTERM', () => process.exit());
