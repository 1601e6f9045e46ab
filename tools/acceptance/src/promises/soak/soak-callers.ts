import { goodKey } from '../../spawn-gateway.ts';
import { type Ask, findPerson } from '../../staff/find-person.ts';
import { askAs, logIn } from '../ask-as.ts';
import type { Caller } from './paced-load.ts';
import type { SoakServers } from './soak-servers.ts';

const written = [200, 201, 204];

/** Returns the callers of the soak: about 130 requests a second. */
export async function createSoakCallers(servers: SoakServers): Promise<Caller[]> {
  return [...gatewayCallers(servers), ...(await staffCallers(servers)), ...bareCallers(servers)];
}

function gatewayCallers({ gateway }: SoakServers): Caller[] {
  const headers = { 'X-API-Key': goodKey };
  const server = 'gateway';
  const get = (path: string, fields: Readonly<Record<string, string>> = headers) => ({
    server,
    ask: () => ({ url: gateway.url + path, headers: fields }),
  });
  const json = { ...headers, 'Content-Type': 'application/json' };
  const echo = (n: number) => ({
    ...{ url: `${gateway.url}/echo`, method: 'POST', headers: json },
    body: JSON.stringify({ n, text: 'x'.repeat((n % 50) * 100) }),
  });
  return [
    { ...get('/answer'), everyMs: 50 },
    { ...get('/answer', {}), everyMs: 100, isNew: true },
    { ...get('/plain'), everyMs: 50 },
    { ...get('/stream'), everyMs: 500, isSlow: true },
    { server, ask: echo, everyMs: 100 },
    { ...get('/few'), everyMs: 500, wanted: [200, 429] },
    { ...get('/plain', { 'X-API-Key': 'nobody-has-this-key' }), everyMs: 500, wanted: [401] },
    { ...get('/openapi.json', {}), everyMs: 1_000 },
    { ...get('/nowhere', {}), everyMs: 1_000, wanted: [404] },
  ];
}

/** Reads and writes different people at the scheduling API and through the proxy. */
async function staffCallers({ scheduling, proxy, credentials }: SoakServers): Promise<Caller[]> {
  const { SCHEDULING_ADMIN_EMAIL: email, SCHEDULING_ADMIN_PASSWORD: password, COMPANY_KEY: companyKey } = credentials;
  const token = await logIn(scheduling.url, email, password);
  const key = { 'X-API-Key': credentials.STAFF_PROXY_ADMIN_KEY };
  const pathOf = async (ask: Ask, number: number) => {
    const { keys } = await findPerson(ask, companyKey, 'StaffKey ne null', number);
    return `/v2/staffmember/${encodeURIComponent(keys.staff_key)}`;
  };
  return [
    ...callersOn('scheduling', scheduling.url, token, companyKey, await pathOf(askAs(scheduling.url, token), 0)),
    ...callersOn('staff-proxy', proxy.url, key, companyKey, await pathOf(askAs(proxy.url, key), 1)),
  ];
}

function callersOn(
  server: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  companyKey: string,
  person: string,
): Caller[] {
  const json = { ...headers, 'Content-Type': 'application/json' };
  const list = (n: number) =>
    `/v2/staffmember?${new URLSearchParams({ companyKey, $top: '20', $skip: String((n % 5) * 20), $filter: 'Fte ge 0.1' })}`;
  let modifier: string | undefined;
  return [
    { server, everyMs: 100, ask: (n) => ({ url: url + list(n), headers }) },
    { server, everyMs: 50, ask: () => ({ url: `${url}${person}?includes=Tags,Skillset`, headers }) },
    { server, everyMs: 200, isNew: true, ask: () => ({ url: url + person, headers }) },
    {
      ...{ server, everyMs: 500, wanted: written },
      ask: (n) => ({
        url: url + person,
        method: 'PUT',
        headers: json,
        body: JSON.stringify({ Fte: 0.5 + (n % 5) / 10 }),
      }),
    },
    {
      // Creates one and deletes it, so that the number does not grow.
      ...{ server, everyMs: 500, wanted: written },
      ask: () =>
        modifier === undefined
          ? { url: `${url}${person}/payModifier`, method: 'POST', headers: json, body: '{"PositionId":"P"}' }
          : { url: `${url}${person}/payModifier/${encodeURIComponent(modifier)}`, method: 'DELETE', headers },
      onResponse: (text) => {
        modifier = modifier === undefined ? JSON.parse(text).PayModifierKey : undefined;
      },
    },
  ];
}

function bareCallers({ bare }: SoakServers): Caller[] {
  const ask = () => ({ url: `${bare.url}/plain` });
  return [
    { server: 'bare', everyMs: 50, ask },
    { server: 'bare', everyMs: 100, isNew: true, ask },
  ];
}
