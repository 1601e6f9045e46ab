import { delimiter, dirname } from 'node:path';
import { expect } from 'vitest';
import { pickFreePort } from '../../../../workspace/free-ports.ts';
import { asAdministrator } from './as-administrator.ts';
import type { KnownReading } from './reading.ts';

/** The pages about the scheduling API. */
export const schedulingReadings: readonly KnownReading[] = [
  {
    page: 'apps/scheduling/README.md',
    headings: ['Run it'],
    check({ outputs }) {
      expect(outputs[1]?.match(/"FirstName":/g)).toHaveLength(3);
    },
  },
  {
    page: 'docs/scheduling.md',
    headings: ['Run it on SQLite', 'Accounts, import and backup'],
    prepare: async () => ({ files: { 'roster.csv': 'StaffId,FirstName,LastName,Tags\nN-1,Ada,Osei,Team: Gold\n' } }),
    check({ outputs, stderr }) {
      expect(outputs[1]?.match(/"FirstName":/g), stderr).toHaveLength(3);
      expect(outputs[2]).toMatch(/^ops@example.org\t/m);
      expect(outputs[2]).toMatch(/import/);
    },
  },
  {
    page: 'docs/how-to/receive-webhooks.md',
    prepare: async () => ({
      replaced: { '8025': String(await pickFreePort()) },
      // The receiver needs a Node that runs TypeScript, which that of the machine may not.
      env: { PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) },
    }),
    check({ outputs }) {
      const received = outputs.at(-1) ?? '';
      expect(received).toMatch(/^webhook\.test my-company 0 changed 0 deleted$/m);
      expect(received).toMatch(/^staff\.changed my-company 1 changed 0 deleted$/m);
      expect(received).toMatch(/^\{"StaffId":"N-1"\}$/m);
    },
  },
  {
    page: 'docs/scheduling.md',
    headings: ['Run it on PostgreSQL'],
    needs: 'postgres',
    async prepare() {
      const { env, address } = asAdministrator({ database: 'staff', role: 'rostergate' });
      return { env, replaced: { '127.0.0.1:5432': address }, after: 'rostergate-scheduling accounts list\n' };
    },
    check({ outputs }) {
      expect(outputs[1]).toMatch(/^ops@example.org\t/m);
    },
  },
];
