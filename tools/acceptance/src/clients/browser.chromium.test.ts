import { describe, expect, inject, test } from 'vitest';
import { openPage } from '../browser/open-page.ts';
import { useChromium } from '../browser/use-chromium.ts';
import { bundleProgram } from './bundle-program.ts';

const { urls, credentials } = inject('servers');
const browser = useChromium();

/** Runs in the browser and returns its results as an object. */
const program = `
import { createStaffClient, etagOf, NotFoundError, PreconditionError } from '@rostergate/staff-client';

globalThis.runClient = async (options) => {
  const client = createStaffClient(options);
  const filter = (s) => s.LastName.contains("'").and(s.IsActive);
  const people = await client.listStaffMembers({ filter, expand: ['Tags'], orderby: ['LastName'], query: { $top: 2 } });
  const sizes = [];
  for await (const part of client.pages({ pageSize: 600, select: ['StaffKey'], filter: (s) => s.StaffId.startsWith('S-') })) sizes.push(part.length);
  const body = { StaffId: options.staffId, LastName: 'Osei', UpdateIfExisting: true };
  const path = { staff_key: (await client.createStaffMember({ body })).StaffKey };
  const person = await client.getStaffMember({ path });
  const change = { path, body: { Fte: 0.5 }, ifMatch: etagOf(person) };
  const changed = await client.updateStaffMember(change);
  const outdated = await client.updateStaffMember(change).catch((error) => error);
  const missing = await client.getStaffMember({ path: { staff_key: 'nobody' } }).catch((error) => error);
  const signal = AbortSignal.timeout(0);
  const late = await client.listStaffMembers({ signal }).catch((error) => error);
  return {
    quoted: people.every(({ LastName }) => LastName.includes("'")),
    tags: Array.isArray(people[0].Tags),
    sizes,
    changed: [changed.Fte, outdated instanceof PreconditionError],
    missing: [missing instanceof NotFoundError, missing.code, missing.requestId.length > 9],
    late: late.name,
  };
};`;

const want = {
  quoted: true,
  tags: true,
  sizes: [600, 400],
  changed: [0.5, true],
  missing: [true, 'not_found', true],
  late: 'TimeoutError',
};

describe.each([
  ['a key of the proxy', urls['staff-proxy'], { key: credentials.STAFF_PROXY_ADMIN_KEY }],
  [
    'a login of the scheduling API',
    urls.scheduling,
    {
      login: { email: credentials.SCHEDULING_ADMIN_EMAIL, password: credentials.SCHEDULING_ADMIN_PASSWORD },
      companyKey: credentials.COMPANY_KEY,
    },
  ],
])('the staff client with %s', (_, baseUrl, credential) => {
  test('works in a page', async () => {
    const { page } = await openPage(browser(), `${baseUrl}/health/live`, { bypassCSP: true });
    await page.evaluate(await bundleProgram(program));
    const options = JSON.stringify({ baseUrl, ...credential, staffId: `C-page-${new URL(baseUrl).port}` });
    expect(await page.evaluate(`runClient(${options})`)).toEqual(want);
  });

  test('works in a worker', async () => {
    const { page } = await openPage(browser(), `${baseUrl}/health/live`, { bypassCSP: true });
    const options = JSON.stringify({ baseUrl, ...credential, staffId: `C-worker-${new URL(baseUrl).port}` });
    const script = JSON.stringify(`${await bundleProgram(program)}\nrunClient(${options}).then(postMessage);`);
    const found = await page.evaluate(`new Promise((resolve, reject) => {
      const address = URL.createObjectURL(new Blob([${script}], { type: 'text/javascript' }));
      const worker = new Worker(address, { type: 'module' });
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
    })`);
    expect(found).toEqual(want);
  });
});
