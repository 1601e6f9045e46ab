import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { startForwarding } from './start-forwarding.ts';
import { goodKey } from './start-gateway.ts';
import { startOrigin } from './start-origin.ts';

/** Sends a path unchanged, which fetch would normalize, and returns the response as text. */
async function send(url: string, path: string, headers: readonly string[] = []): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(`${[`GET ${path} HTTP/1.1`, 'Host: a', 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`);
  return text(socket);
}

/** Starts a gateway with an open `/users/{id}` beside guarded paths that an upstream could read it as. */
async function start() {
  const origin = await startOrigin();
  const forwarded = (path: string, more: object = {}) => ({
    path,
    service: 'http',
    upstream: { targets: [origin.url] },
    ...more,
  });
  const endpoints = [
    forwarded('/users/{id}'),
    forwarded('/users/admin', { requires_auth: true }),
    forwarded('/users/{id}/secrets', { requires_auth: true }),
    forwarded('/users/{id}/inside', { policies: ['office'] }),
    forwarded('/users/{id}/photo'),
    forwarded('/other/{id}'),
    forwarded('/teams/{id}', { requires_auth: true }),
    forwarded('/teams/{id}/{part}', { requires_auth: true }),
    forwarded('/teams/{id}/keys', { requires_auth: true, scopes: ['admin'] }),
    forwarded('/teams/{id}/own', { requires_auth: true, api_keys: 'another-key' }),
    { path: '/notes/{message}', service: 'echo' },
    { path: '/notes/{message}/secrets', service: 'echo', requires_auth: true },
  ];
  const policies = { office: { type: 'addresses', allow: ['10.0.0.0/8'] } };
  const gateway = await startForwarding({ files: { 'endpoints.json': JSON.stringify({ policies, endpoints }) } });
  return { ...gateway, origin };
}

it('rejects a parameter with which an upstream could read the path as that of a guarded endpoint', async () => {
  const { url, origin } = await start();
  for (const id of [
    ...['a%2Fsecrets', 'a%2fsecrets', 'a%5Csecrets', 'a\\secrets', 'a%252Fsecrets', 'a%2F%2Fsecrets', 'a%2Fsecrets%2F'],
    ...['100%25%2Fsecrets', 'a%2F%73ecrets', 'a%2Fsecrets;x', 'a;x=/secrets', 'a%2Finside', '%2Fadmin'],
    ...['admin;x', 'admin;', 'admin%3Bx=1', 'admin%2F', '%2561dmin'],
  ]) {
    const response = await send(url, `/users/${id}`);
    // This is the guarded path itself.
    if (id === 'a;x=/secrets') expect(response, id).toMatch(/^HTTP\/1.1 401 /);
    else expect(response, id).toMatch(/^HTTP\/1.1 400 .*"parameter":"id","detail":"must not contain separators here/s);
  }
  expect(await send(url, `${url}/users/a%2Fsecrets`), 'in absolute form').toMatch(/^HTTP\/1.1 400 /);
  expect(origin.seen).toEqual([]);
  expect(await send(url, '/users/admin', [`X-API-Key: ${goodKey}`])).toMatch(/^HTTP\/1.1 200 /);
});

it('forwards a parameter with separators that is read as no guarded path', async () => {
  const { url, origin } = await start();
  const paths = ['/users/a%2Fb', '/users/a%2Fphoto', '/users/a;v=1', '/users/100%25', '/other/a%2Fsecrets'];
  for (const path of paths) expect(await send(url, path), path).toMatch(/^HTTP\/1.1 200 /);
  expect(origin.seen.map(({ url: seen }) => seen)).toEqual(paths);
});

it('forwards what is read as an endpoint with the same credentials and policies, and no other', async () => {
  const { url, origin } = await start();
  const key = [`X-API-Key: ${goodKey}`];
  expect(await send(url, '/teams/a%2Fb', key)).toMatch(/^HTTP\/1.1 200 /);
  for (const path of ['/teams/a%2Fkeys', '/teams/a%2Fown'])
    expect(await send(url, path, key)).toMatch(/^HTTP\/1.1 400 /);
  expect(origin.seen.map(({ url: seen }) => seen)).toEqual(['/teams/a%2Fb']);
});

it('gives a service, which reads no paths, any parameter', async () => {
  const { url } = await start();
  expect(await send(url, '/notes/a%2Fsecrets')).toMatch(/^HTTP\/1.1 200 .*"a\/secrets"/s);
});
