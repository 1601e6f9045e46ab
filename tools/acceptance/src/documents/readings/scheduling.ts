import { expect } from 'vitest';
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
