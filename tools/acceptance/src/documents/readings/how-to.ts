import { readFile } from 'node:fs/promises';
import { expect, inject, onTestFinished } from 'vitest';
// The test helper of its package; tools may import files that packages do not export.
import { startRedis } from '../../../../../packages/access/test/start-redis.ts';
import { pickFreePort, pickFreePorts } from '../../../../workspace/free-ports.ts';
import { startOidcIssuer } from '../../oidc-issuer.ts';
import { whenTestEnds } from '../../when-test-ends.ts';
import { asAdministrator } from './as-administrator.ts';
import type { KnownReading } from './reading.ts';

const grep = `grep '"code":"key_missing"' gateway.log`;

/** The how-to pages. */
export const howToReadings: readonly KnownReading[] = [
  {
    page: 'docs/how-to/front-an-api.md',
    check({ outputs: [, imported, listed, responses] }) {
      expect(imported).toMatch(/^added\tGET\t\/staff\/staffmember\tlistStaffMembers/m);
      expect(listed).toMatch(/^GET\t\/staff\/staffmember\thttp\tneeded\tstaff\t/m);
      expect(responses?.match(/"FirstName":/g)).toHaveLength(1);
      expect(responses).toMatch(/"code":"validation_failed".*"\$top"/);
      expect(responses).toContain('"code":"key_missing"');
    },
  },
  {
    page: 'docs/how-to/forward-a-prefix.md',
    prepare: async () => ({ replaced: { '8040': String(await pickFreePort()) } }),
    check({ outputs: [, listed, responses] }) {
      expect(listed).toMatch(/^PUT\t\/files\/\{rest\*\}\thttp\t/m);
      expect(responses).toMatch(/^GET \/v1\/a\/b%20c\.txt\?download=1$/m);
      expect(responses).toMatch(/^PUT \/v1\/a\/new$/m);
      expect(responses).toMatch(/"code":"validation_failed".*"parameter":"rest"/);
      expect(responses).toContain('"code":"key_missing"');
      expect(responses).toContain('"code":"route_not_found"');
    },
  },
  {
    page: 'docs/how-to/pass-more-of-an-upstream-through.md',
    prepare: async () => ({ replaced: { '8040': String(await pickFreePort()) } }),
    check({ outputs }) {
      expect(outputs[1]).toContain('Valid: pass-through.json, with 1 account, 2 keys.');
      const [responses] = outputs.slice(-1);
      expect(responses).toMatch(/^GET \/v2\/schedule\/or-3\?week=48 key: undefined$/m);
      // The log of the proxy, which the output may hold too, has codes but no types.
      expect(responses?.match(/"type":"urn:rostergate:problem:operation_forbidden"/g)).toHaveLength(2);
    },
  },
  {
    page: 'docs/how-to/test-against-the-vendors-form.md',
    prepare: async () => ({ replaced: { '8021': String(await pickFreePort()) } }),
    check({ outputs: [, direct, , proxied, , troubled] }) {
      expect(direct).toContain('"MobileServiceProvider":"None"');
      expect(direct).toContain('{"Message":"CompanyKey is required."}');
      expect(proxied).toContain('"FirstName":"Ada"');
      expect(proxied).not.toContain('MobileServiceProvider');
      expect(proxied).toContain('[{"StaffId":"N-1","FirstName":"Ada"}]');
      const statuses = [...(troubled ?? '').matchAll(/\b(401|503|429) /g)].map(([, status]) => status);
      expect([new Set(statuses.slice(0, 8)), statuses.slice(8)]).toEqual([new Set(['401', '503']), ['429', '429']]);
      expect(troubled).toMatch(/\{"Message":"The limit is 8 requests per minute\. Wait \d+ s\."\}/);
    },
  },
  {
    page: 'docs/how-to/mock-an-api.md',
    check({ outputs: [, responses] }) {
      expect(responses).toContain('[{"name":"Rex"}]');
      expect(responses).toMatch(/"code":"validation_failed".*"limit"/);
    },
  },
  {
    page: 'docs/how-to/return-statuses-headers-and-streams.md',
    check({ outputs }) {
      const responses = outputs.at(-1);
      expect(responses?.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 204', 'HTTP/1.1 409']);
      expect(responses).toMatch(/^Location: \/orders\/acme-7\r?$/m);
      expect(responses).toMatch(/"code":"out_of_stock".*"left":3/);
      expect(responses).toMatch(/"code":"validation_failed".*"header":"X-Tenant"/);
      expect(responses).toMatch(/event: tick\nid: 42\ndata: \{"n":42\}\n\n/);
    },
  },
  {
    page: 'docs/how-to/caching-and-retries.md',
    prepare: async () => ({ replaced: { '8030': String(await pickFreePort()) } }),
    check({ outputs: [, , cached, retried] }) {
      const times = [...(cached ?? '').matchAll(/^\d{4}-\d\d-\d\dT\S+Z$/gm)].map(([time]) => time);
      expect(times).toHaveLength(3);
      expect(times[1]).toBe(times[0]);
      expect(times[2]).not.toBe(times[0]);
      // The age counts from Date, which has whole seconds.
      expect(cached).toMatch(/^Age: \d$/m);
      expect(cached).toMatch(/^Cache-Status: rostergate; hit; ttl=\d+$/m);
      expect(retried).toMatch(/^200$/m);
      expect(retried).toMatch(/^upstream_retries_total 1$/m);
    },
  },
  {
    page: 'docs/how-to/balance-upstreams.md',
    prepare: async () => {
      const [big, small] = await pickFreePorts(3);
      // Requests are spread at random: of twenty, none may reach the small one.
      const replaced = { '8031': String(big), '8032': String(small), 'seq 20': 'seq 60' };
      return { replaced, env: { ROSTERGATE_RATE_LIMIT_PER_MINUTE: '1000' } };
    },
    check({ outputs: [, , balanced, sick] }) {
      const [big = 0, small = 0] = ['big', 'small'].map((name) =>
        Number(new RegExp(`^ *(\\d+) ${name}$`, 'm').exec(balanced ?? '')?.[1] ?? 0),
      );
      expect(big + small).toBe(60);
      expect(small).toBeGreaterThan(0);
      expect(sick).toMatch(/^ *60 big$/m);
      expect(sick).toMatch(/^upstream_target_healthy\{target="[^"]+"\} 0$/m);
    },
  },
  {
    page: 'docs/how-to/websockets-and-streams.md',
    prepare: async () => ({
      replaced: {
        '8030': String(await pickFreePort()),
        // On a busy machine the events, and the start of the client, take longer.
        '--max-time 2': '--max-time 8',
        'node client.mjs &': 'node client.mjs > messages.txt &',
        'sleep 2': 'until [ "$(grep -cs Hello messages.txt)" = 3 ]; do sleep 0.1; done',
        'wait $client': 'wait $client; cat messages.txt',
      },
    }),
    check({ outputs: [, , events, messages] }) {
      expect(events).toMatch(/^data: Hello$/m);
      expect(messages).toMatch(/^(Hello\n){3}/m);
      expect(messages).toMatch(/^1008 The key is no longer valid for this endpoint\.$/m);
    },
  },
  {
    page: 'docs/how-to/secure-upstreams.md',
    prepare: async () => ({ replaced: { '8033': String(await pickFreePort()) } }),
    check({ outputs: [, , , responses] }) {
      expect(responses?.match(/\{"served":true,"tokens":1\}/g)).toHaveLength(2);
      expect(responses).toMatch(/"status":502,.*certificate of the upstream failed verification/);
    },
  },
  {
    page: 'docs/how-to/add-a-policy.md',
    prepare: async () => ({ replaced: { '8033': String(await pickFreePort()) } }),
    check({ outputs: [, responses, , checks] }) {
      expect(responses).toMatch(/^X-Served-By: gateway/m);
      expect(responses).toContain('"x-client":"127.0.0.1"');
      expect(responses).not.toMatch(/forged|"cookie"/);
      expect(responses).toContain('"code":"address_denied"');
      expect(checks).toContain('"x-tenant-path":"/tenants/acme"');
      expect(checks).toContain('"code":"operation_forbidden"');
      expect(checks).toContain('No robots.');
      expect(checks).toMatch(/^GET\t\/orders\thttp\t.*\tno-robots tenant$/m);
    },
  },
  {
    page: 'docs/how-to/rotate-a-key.md',
    check({ outputs: [listed, revoked] }) {
      expect(listed).toMatch(/^wallboard\t/m);
      expect(listed).toMatch(/^wallboard-2\t/m);
      expect(revoked).toContain('Revoked wallboard.');
    },
  },
  {
    page: 'docs/how-to/accept-tokens.md',
    async prepare() {
      const issuer = await startOidcIssuer(whenTestEnds);
      return { replaced: { 'https://id.example.com': issuer.url }, env: { CLIENT_SECRET: issuer.clientSecret } };
    },
    check({ outputs: [, responses] }) {
      expect(responses).toContain('"code":"token_valid"');
      expect(responses).toContain('"owner":"corp:orders-app","scopes":["orders:read"]');
      expect(responses).toContain('{"message":"hello","body":null,"caller":"corp:orders-app"}');
      expect(responses).toContain('"code":"token_invalid"');
      expect(responses).toContain('or an access token in Authorization: Bearer.');
    },
  },
  {
    page: 'docs/how-to/offer-a-portal.md',
    prepare: async () => ({ replaced: { '8090': String(await pickFreePort()) } }),
    check({ outputs: [, shown] }) {
      expect(shown).toContain('href="/portal/sign-in"');
      expect(shown).toMatch(/^303 http:\/\/127\.0\.0\.1:\d+\/auth\?.*code_challenge_method=S256/m);
    },
  },
  {
    page: 'docs/how-to/protect-an-api.md',
    prepare: async () => ({
      replaced: {
        "'oidc-provider'": `'${import.meta.resolve('oidc-provider')}'`,
        '8036': String(await pickFreePort()),
        '8037': String(await pickFreePort()),
      },
    }),
    check({ outputs: [, , , listed, responses, explained] }) {
      expect(listed).toMatch(/^GET\t\/orders\thttp\tjwt:corp\torders:read\t.*\ttenant$/m);
      expect(responses).toContain('"code":"token_missing"');
      expect(responses).toContain('The signature does not match.');
      expect(responses).toMatch(/^RateLimit: "gold-second";r=19;t=1\r?$/m);
      expect(responses).toContain('{"url":"/orders","tenant":"acme"}');
      expect(responses).toContain('Your token names no tenant of this API.');
      expect(responses?.match(/^HTTP\/1\.1 \d+/gm)).toEqual([200, 200, 200, 429].map((code) => `HTTP/1.1 ${code}`));
      expect(responses).toMatch(/^Retry-After: \d+\r?$/m);
      expect(responses).toContain('"violated-policies":["free-minute"]');
      expect(explained).toContain('"plan":"gold"}');
      expect(explained).toMatch(/^ {4}"tenant": "acme",$/m);
    },
  },
  {
    page: 'docs/how-to/see-usage.md',
    check({ outputs: [, shown, exported] }) {
      expect(shown).toMatch(/"owner":"shop".*"operation":"listEndpoints","status":"2xx","requests":3/);
      expect(shown).toMatch(/Z\tshop\tlistEndpoints\t2xx\t3$/m);
      expect(shown).toMatch(/Z\ttrial\tunmatched\t4xx\t1$/m);
      expect(exported).toMatch(/^time,owner,key,operation,status,requests\r$/m);
      expect(exported).toMatch(/Z,shop,shop-web,listEndpoints,2xx,3\r$/m);
      expect(exported).toMatch(/^time,key,operation,status,requests\r$/m);
    },
  },
  {
    page: 'docs/how-to/limit-by-plan.md',
    check({ outputs: [listed, responses] }) {
      expect(listed).toMatch(/^app\tacme\t\S+\t–\tgold\t/m);
      expect(responses).toMatch(/"violated-policies":\["free-minute"\]/);
      expect(responses).toMatch(/^RateLimit-Policy: "gold-second";q=20;w=1, "gold-day";q=50000;w=86400, "gold-quota"/m);
      expect(responses).toMatch(/^RateLimit: "gold-second";r=19;t=1/m);
    },
  },
  {
    page: 'docs/how-to/offer-tools-to-agents.md',
    headings: ['Offer endpoints as tools to AI agents'],
    check({ outputs: [, responses] }) {
      expect(responses).toContain('"name":"prices"');
      expect(responses).toContain('"structuredContent":{"apple":1.2,"pear":1.5}');
    },
  },
  {
    page: 'docs/how-to/offer-tools-to-agents.md',
    headings: ['The staff proxy'],
    async prepare() {
      const { credentials, env, urls } = inject('servers');
      return {
        replaced: { '8011': String(await pickFreePort()), 'http://127.0.0.1:8020': urls.scheduling },
        files: {
          '.local/demo.env': `STAFF_PROXY_ADMIN_KEY=${credentials.STAFF_PROXY_ADMIN_KEY}\n`,
          '.local/proxy-keys.json': await readFile(env.ROSTERGATE_PROXY_KEYS_FILE as string, 'utf8'),
        },
      };
    },
    check({ outputs: [, found] }) {
      expect(found).toMatch(/"structuredContent":\{[^}]*"@odata.count":\d+/);
      expect(found?.match(/\\"FirstName\\"/g)).toHaveLength(3);
    },
  },
  {
    page: 'docs/how-to/share-limits.md',
    needs: 'redis',
    async prepare() {
      const redis = await startRedis();
      onTestFinished(() => redis.close());
      return { replaced: { 'redis://127.0.0.1:6379': redis.url } };
    },
    check({ outputs: [, responses] }) {
      expect(responses).toMatch(/"limits":\{"status":"ready","store":"redis"/);
      expect(responses).toMatch(/^RateLimit: /m);
    },
  },
  {
    page: 'docs/how-to/run-a-fleet.md',
    needs: 'postgres',
    async prepare() {
      const { env, address } = asAdministrator({ database: 'fleet_keys', role: 'fleet' });
      const redis = await startRedis();
      onTestFinished(() => redis.close());
      const [second, third, fourth] = await pickFreePorts(3);
      return {
        env,
        replaced: {
          // A machine may lack lsof: the fourth server that the shell has started. Until it has ended, its port accepts.
          [`kill -KILL "$(lsof -t -i tcp:${fourth} -s tcp:LISTEN)"`]:
            'killed=$(jobs -p | sed -n 4p); kill -KILL "$killed"; wait "$killed" || true',
          'redis://127.0.0.1:6379': redis.url,
          ...{ '127.0.0.1:5432': address, 'sleep 2': 'sleep 5' },
          ...{ '8001': String(second), '8002': String(third), '8003': String(fourth) },
        },
      };
    },
    check({ outputs: [, counted, killed, withoutRedis, withoutPostgres, revoked] }) {
      const remaining = Array.from(counted?.matchAll(/^RateLimit: .*r=(\d+)/gim) ?? [], ([, left]) => Number(left));
      expect(remaining).toEqual([0, 1, 2, 3].map((spent) => (remaining[0] as number) - spent));
      expect(killed).toContain('"authenticated":true');
      for (const output of [withoutRedis, withoutPostgres]) {
        expect(output?.match(/"authenticated":true/g)).toHaveLength(4);
      }
      expect(withoutRedis).toContain('"limits":{"status":"degraded"');
      expect(withoutPostgres).toContain('"key_store":{"status":"degraded"');
      expect(revoked?.match(/"title":"The key has been revoked"/g)).toHaveLength(4);
    },
  },
  {
    page: 'docs/how-to/share-keys.md',
    needs: 'postgres',
    async prepare() {
      const { env, address } = asAdministrator({ database: 'gateway_keys', role: 'gateway_keys' });
      return {
        env,
        replaced: { '127.0.0.1:5432': address, '8001': String(await pickFreePort()), 'sleep 2': 'sleep 5' },
      };
    },
    check({ outputs: [, responses, , logins] }) {
      expect(responses?.match(/"authenticated":true/g)).toHaveLength(2);
      expect(responses?.match(/"title":"The key has been revoked"/g)).toHaveLength(2);
      expect(responses).toMatch(/\trevoke\tapp\tacme\t/);
      expect(responses).toContain('"key_store":{"status":"ready","keys":1');
      expect(logins?.match(/"access_token":/g)).toHaveLength(1);
      expect(logins?.match(/"type":"urn:rostergate:problem:login_failed"/g)).toHaveLength(1);
      expect(logins).toMatch(/^app\tacme\t/m);
      expect(logins).not.toMatch(/^wall\t/m);
    },
  },
  {
    page: 'docs/how-to/administer-keys-over-http.md',
    prepare: async () => ({ replaced: { '9001': String(await pickFreePort()) } }),
    check({ outputs: [, responses, listed] }) {
      expect(responses?.match(/"key":"rg_live_/g)).toHaveLength(1);
      expect(responses).toMatch(/"name":"app","owner":"acme".*"state":"revoked"/);
      expect(responses).toContain('"generation":');
      expect(responses).toContain('"code":"key_missing"');
      expect(listed).toMatch(/^reports-2\treports\t.*\tactive$/m);
    },
  },
  {
    page: 'docs/how-to/serve-https.md',
    check({ outputs: [, response] }) {
      expect(response).toMatch(/^Strict-Transport-Security: /m);
      expect(response).toContain('"status":"healthy"');
    },
  },
  {
    page: 'docs/how-to/check-a-change.md',
    check({ outputs: [verdict, changes] }) {
      expect(verdict).toContain('Valid');
      expect(changes).toMatch(/^policy\tPOST \/api\/echo\t/m);
    },
  },
  {
    page: 'docs/how-to/import-a-company.md',
    // What the page shows, and one skill less, then nothing new.
    check({ outputs: [imported, rejected, replaced, exported, , , overHttp] }) {
      const counts = /^my-company\.d\/skillset\.csv\t1\t1\t0\t0\t0$/gm;
      expect(imported?.match(counts)).toHaveLength(2);
      expect(rejected).toContain('skillset.csv:3, column 2  TaskKey: The company has no task "or-9".');
      expect(replaced).toMatch(/^skills\.d\/skillset\.csv\t0\t0\t0\t0\t1$/m);
      expect(exported).toMatch(/^exported\.d\/staff\.csv\t2\t0\t0\t2\t0$/m);
      expect(overHttp?.match(/"added":1,"changed":0,"same":2,"removed":0,"is_written":(true|false)/g)).toHaveLength(2);
      expect(overHttp).toContain('"code":"precondition_failed"');
    },
  },
  {
    page: 'docs/how-to/back-up-and-restore.md',
    check: ({ outputs: [, accounts] }) => expect(accounts).toMatch(/^ops@example.org\t/m),
  },
  {
    page: 'docs/how-to/upgrade.md',
    check: ({ outputs: [states] }) => expect(states).toMatch(/\tapplied now\t/),
  },
  {
    page: 'docs/how-to/find-a-fault.md',
    // The log may be written after the response.
    prepare: async () => ({ replaced: { [`${grep}\n`]: `until ${grep}; do sleep 0.1; done\n` } }),
    check: ({ outputs: [, found] }) => expect(found?.match(/"code":"key_missing"/g)).toHaveLength(2),
  },
];
