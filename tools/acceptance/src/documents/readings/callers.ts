import { delimiter, dirname } from 'node:path';
import { expect, inject } from 'vitest';
import { createClientModule } from '../../clients/client-module.ts';
import type { KnownReading } from './reading.ts';

/** The how-to pages for callers of the Staff Member API. */
export const callerReadings: readonly KnownReading[] = [
  {
    page: 'docs/how-to/query-people.md',
    prepare: throughTheProxy,
    check({ outputs: [lists, expanded, envelope, refusal] }) {
      const [two, byName, byFte] = listsIn(lists);
      expect(two).toEqual(
        Array.from({ length: 2 }, () => ({ FirstName: expect.any(String), LastName: expect.any(String) })),
      );
      expect(byName).toContainEqual({ StaffKey: expect.any(String), LastName: "O'Neil" });
      expect(byFte).toHaveLength(3);
      const [withTags, cardiologists] = listsIn(expanded);
      const tags = { Tags: expect.any(Array), TTCMTags: expect.any(Array) };
      expect(withTags).toEqual([{ LastName: expect.any(String), ...tags }]);
      expect(cardiologists).toHaveLength(3);
      expect(JSON.parse(envelope ?? '')).toMatchObject({
        '@odata.count': expect.any(Number),
        '@odata.nextLink': expect.any(String),
        value: [expect.any(Object), expect.any(Object)],
      });
      expect(refusal).toMatch(/did you mean LastName.*"code":"odata_invalid"/);
    },
  },
  {
    page: 'docs/how-to/connect-odata-tools.md',
    async prepare() {
      const { credentials, urls } = inject('servers');
      const { SCHEDULING_EMAIL: EMAIL, SCHEDULING_PASSWORD: PASSWORD, COMPANY_KEY } = credentials;
      return { env: { EMAIL, PASSWORD, COMPANY_KEY }, replaced: { 'http://127.0.0.1:8020': urls.scheduling } };
    },
    check({ outputs: [documents, people, files, batch] }) {
      expect(documents).toContain('{"name":"StaffMembers","kind":"EntitySet","url":"StaffMembers"}');
      expect(documents).toContain('<edmx:Edmx');
      expect(documents).toContain(
        '"StaffMembers":{"$Collection":true,"$Type":"Rostergate.Staff.StaffMemberDetailDto"}',
      );
      expect(people).toMatch(
        /StaffMembers\(StaffKey,LastName,StartDate\)","@odata.count":\d+,"value":\[\{.*T00:00:00Z"/,
      );
      expect(people).toMatch(/\}\n?\d+\{.*StaffMembers\(LastName\)\/\$entity".*"LastName":"[^"]+"\}/);
      expect(files).toMatch(/^StaffId,LastName,Fte\r\n(?:S-\d+,.+\r\n){2}(?:\S.*\n){2}\d+$/);
      expect(batch?.trim()).toBe('["1",200]\n["2",200]\n["3",403]');
    },
  },
  {
    page: 'docs/how-to/change-a-person.md',
    prepare: throughTheProxy,
    check({ outputs }) {
      expect(outputs[2]).toMatch(/^200$/m);
      expect(outputs[2]).toContain('"code":"precondition_failed"');
    },
  },
  {
    page: 'docs/how-to/sync-people.md',
    prepare: throughTheProxy,
    check({ outputs }) {
      const text = outputs.join('');
      for (const runs of [/^(\d+) received, (\d+) in the copy$/gm, /^(\d+) received, (\d+) active$/gm]) {
        const [first, second] = [...text.matchAll(runs)];
        expect(Number(first?.[1])).toBeGreaterThan(100);
        expect(Number(second?.[1])).toBeLessThan(Number(first?.[1]));
        expect(Number(second?.[2])).toBeGreaterThan(100);
      }
    },
  },
  {
    page: 'docs/how-to/sync-a-local-table.md',
    async prepare() {
      const common = await throughTheProxy();
      return {
        ...common,
        // The program needs node:sqlite, which the Node of the machine may lack.
        env: { ...common.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) },
        files: await createClientModule(),
      };
    },
    check({ outputs }) {
      const [first, second] = [...(outputs.at(-1) ?? '').matchAll(/^(\d+) received, (\d+) in the table$/gm)];
      expect(Number(first?.[1])).toBeGreaterThanOrEqual(1_000);
      expect(first?.[2]).toBe(first?.[1]);
      expect(Number(second?.[1])).toBeLessThan(1_000);
      expect(Number(second?.[2])).toBeGreaterThanOrEqual(Number(first?.[2]));
    },
  },
];

async function throughTheProxy() {
  const { credentials, urls } = inject('servers');
  return {
    env: { KEY: credentials.STAFF_PROXY_ADMIN_KEY },
    replaced: { 'http://127.0.0.1:8010': urls['staff-proxy'] },
  };
}

/** Responses one after the other, without separators. */
function listsIn(text = ''): unknown[] {
  return JSON.parse(`[${text.trim().replaceAll('][', '],[')}]`);
}
