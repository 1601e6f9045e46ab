/** Serves a test issuer: `npm run -s issuer -- serve FOLDER --port 8090` writes a gateway with a portal into a new folder. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { portalClient, startOidcIssuer } from './oidc-issuer.ts';

const { positionals, values } = parseArgs({ allowPositionals: true, options: { port: { type: 'string' } } });
const [, folder = 'my-gateway'] = positionals;
const { port = '8090' } = values;
const gateway = `http://127.0.0.1:${process.env.ROSTERGATE_PORT ?? 8000}`;

const files = {
  'settings.json': {
    plans: { free: { limits: [{ requests: 60, per: 'minute' }], quota: { requests: 10_000, per: 'month' } } },
    jwt_issuers: [{ name: 'corp', issuer: `http://127.0.0.1:${port}`, audiences: ['https://api.example.com'] }],
    portal: {
      ...{ issuer: 'corp', client_id: portalClient.client_id, base_url: gateway },
      ...{ plans: ['free'], scopes: ['prices'] },
    },
    portal_client_secret: portalClient.client_secret,
    usage: { flush_seconds: 1 },
  },
  'endpoints.json': {
    endpoints: [
      {
        ...{ path: '/prices', service: 'static', requires_auth: true, scopes: ['prices'] },
        ...{ summary: 'Prices of all products', parameters: { answer: { apple: 1.2, pear: 1.5 } } },
      },
    ],
  },
};

await mkdir(folder);
for (const [name, content] of Object.entries(files)) {
  await writeFile(join(folder, name), `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
}
const { url } = await startOidcIssuer(() => {}, Number(port));
console.log(`The issuer ${url} signs in any name, with any password. Serve ${folder}, then open ${gateway}/portal`);
