import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, onTestFinished } from 'vitest';
import { startVendor } from '../../vendor/start-vendor.ts';
import type { KnownReading } from './reading.ts';

/** The pages about the staff proxy. */
export const staffProxyReadings: readonly KnownReading[] = [
  {
    page: 'apps/staff-proxy/README.md',
    headings: ['In front of the vendor'],
    async prepare() {
      const { credentials, urls } = inject('servers');
      const vendor = await startVendor(urls.scheduling);
      onTestFinished(vendor.stop);
      return {
        replaced: {
          'https://api.example.com/v2': vendor.url,
          'svc-reader@example.org': credentials.SCHEDULING_EMAIL,
          'my-company': credentials.COMPANY_KEY,
        },
        stdin: `${credentials.SCHEDULING_PASSWORD}\n`,
      };
    },
    async check({ outputs, folder }) {
      expect(outputs[1]).toContain('Valid: staff-proxy.json, with 1 account, 1 key.');
      // The proxy logs between and after the output of curl, which has no final line break.
      const people = /\[\{"FirstName"[^\]]*\}\]/.exec(outputs[2] ?? '')?.[0];
      expect(JSON.parse(people ?? '')).toEqual(
        Array.from({ length: 3 }, () => ({ FirstName: expect.any(String), LastName: expect.any(String) })),
      );
      expect(outputs[3]).toMatch(/"token_type":"bearer"/);
      const files = await readFile(join(folder, 'my-proxy/proxy-keys.json'), 'utf8');
      expect(files + outputs.join('')).not.toContain(inject('servers').credentials.SCHEDULING_PASSWORD);
    },
  },
  {
    page: 'apps/staff-proxy/README.md',
    headings: ['In front of the scheduling API', 'Accounts and keys'],
    prepare: async () => ({ inFrontOfScheduling: true }),
    check({ outputs }) {
      expect(outputs[1]).toContain('"StaffId":"N-1"');
      const rows = (outputs[2] ?? '').split('\n').flatMap((line) => (line.includes('\t') ? [line.split('\t')] : []));
      expect(rows.map(([name, , , , may]) => [name, may])).toEqual([
        ['ops', 'everything'],
        ['tagger', 'getStaffMember addStaffTag'],
        ['audit', 'read but listBadgeIds'],
      ]);
      expect(outputs[2]).toContain('Revoked tagger.');
    },
  },
  {
    page: 'docs/staff-proxy.md',
    headings: ['In front of the scheduling API'],
    prepare: async () => ({ after: getHealth }),
    check: ({ outputs }) => expect(outputs[1]).toContain('"status":"healthy"'),
  },
  {
    page: 'docs/staff-proxy.md',
    headings: ['In front of the vendor'],
    prepare: async () => ({ files: { 'proxy-keys.json': '{ "accounts": {}, "keys": [] }' }, after: getHealth }),
    check: ({ outputs }) => expect(outputs[1]).toContain('"status":"healthy"'),
  },
];

const getHealth = 'curl -fsS http://127.0.0.1:8010/health\n';
