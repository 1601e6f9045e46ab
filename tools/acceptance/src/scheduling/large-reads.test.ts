import { once } from 'node:events';
import { type ClientRequest, get } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SchedulingProcess, startScheduling } from '../scheduling-process.ts';
import { companyKey, logins } from '../staff/callers.ts';

let server: SchedulingProcess;
let token: string;
beforeAll(async () => {
  server = await startScheduling();
  token = (await server.call('/v2/login', { method: 'POST', json: logins.admin })).body.access_token;
});
afterAll(() => server.stop());

const whole = `/v2/staffmember?companyKey=${companyKey}&$expand=Tags,Skillset,Profiles&includes=AvailableProfiles`;

test('reads of a whole company do not delay health checks and single reads', async () => {
  const [person] = (await server.callAs('reader', `/v2/staffmember?companyKey=${companyKey}&$top=1`)).body;
  const path = `/v2/staffmember/${encodeURIComponent(person.StaffKey)}`;
  /** Returns how many reads of the whole company end after all small requests. */
  const countLater = async () => {
    const order: string[] = [];
    const read = async () => {
      expect((await server.callAs('admin', whole)).body.length).toBeGreaterThanOrEqual(1_000);
      order.push('whole');
    };
    const readers = Array.from({ length: 6 }, read);
    const small = async (what: string) => {
      for (let i = 0; i < 5; i++) {
        expect((await server.callAs('reader', what)).status).toBe(200);
        order.push('small');
      }
    };
    await Promise.all([...readers, small('/health/live'), small(path)]);
    return order.length - 1 - order.lastIndexOf('small');
  };
  let later = await countLater();
  // On a busy machine this client itself may delay the small requests.
  for (let tries = 1; later === 0 && tries < 3; tries++) later = await countLater();
  expect(later).toBeGreaterThan(0);
});

test('a client that disconnects during a list ends its work, and others continue', async () => {
  for (let i = 0; i < 20; i++) {
    const request = sendWithoutReading(whole);
    const [response] = await once(request, 'response');
    await once(response, 'data');
    request.destroy();
  }
  expect((await server.callAs('admin', whole)).status).toBe(200);
  expect((await server.call('/health/ready')).status).toBe(200);
  expect(server.child.exitCode).toBeNull();
  expect(server.log.filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([]);
});

test('a slow reader receives the whole list', async () => {
  const request = sendWithoutReading(whole);
  const [response] = await once(request, 'response');
  let text = '';
  response.setEncoding('utf8');
  for await (const chunk of response) {
    text += chunk;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(JSON.parse(text)).toEqual((await server.callAs('admin', whole)).body);
});

function sendWithoutReading(path: string): ClientRequest {
  const request = get(server.url + path, { agent: false, headers: { Authorization: `Bearer ${token}` } });
  request.on('error', () => undefined);
  return request;
}
