import { type Figure, toFigure } from '../../benchmark/src/figure.ts';
import { operationsOf } from '../src/drift/served-operations.ts';
import { exchangeBytes } from '../src/exchange-bytes.ts';
import { askMany } from '../src/promises/ask.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { goodKey, spawnGateway } from '../src/spawn-gateway.ts';
import { startServers } from '../src/start-servers.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'REPORT', 'LINK'];
const addressBytesMax = 16 * 1024;
const headBytesMax = 32 * 1024;
const bodyBytesMax = 1_000;

/** Those of the OData root, whose errors have the form of OData. */
const odataPaths = /^\/v2\/($|\$(?:metadata|batch)|StaffMembers)/;

interface Case {
  readonly name: string;
  readonly wanted: number;
  readonly bytes: string;
}

export const promise = definePromise({
  number: 21,
  title: '405, 406, 413, 414, 415 and 431 are exact',
  done: 'Every path of every server with every method that it lacks; address, head and body one byte below, at and above their limit',
  target: 'all, limit ± 1 byte',
  async run({ atEnd }) {
    const servers = await startServers();
    atEnd(servers.stop);
    const faults: string[] = [];
    let count = 0;
    for (const url of Object.values(servers.urls)) {
      const found = await wrongMethods(url);
      faults.push(...found.faults);
      count += found.count;
      for (const one of [...heads(new URL(url).host), ...metricsForms(new URL(url).host)]) {
        count++;
        faults.push(...(await faultsOf(url, one)));
      }
    }
    const echo = { path: '/echo', method: 'POST', service: 'echo', requires_auth: true };
    const gateway = await spawnGateway({ settings: { body_bytes_max: bodyBytesMax }, endpoints: [echo] }, atEnd);
    for (const one of bodies(new URL(gateway.url).host)) {
      count++;
      faults.push(...(await faultsOf(gateway.url, one)));
    }
    const figures: Figure[] = [
      toFigure({ name: 'wrong responses', unit: '', max: 0 }, faults.length, faults.slice(0, 3).join('; ')),
      toFigure({ name: 'requests', unit: '', min: 300 }, count),
    ];
    return figures;
  },
});

/** Sends each method that a path lacks to every path of the served contract. */
async function wrongMethods(url: string): Promise<{ readonly count: number; readonly faults: readonly string[] }> {
  const served = operationsOf(await (await fetch(`${url}/openapi.json`)).json());
  const allowed = Map.groupBy(
    [...served.keys()].map((name) => name.split(' ') as [string, string]),
    ([, path]) => path,
  );
  const cases = [...allowed].flatMap(([path, those]) => {
    const names = those.map(([method]) => method);
    const wanted = [...names, ...(names.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort();
    return methods
      .filter((method) => !wanted.includes(method))
      .map((method) => ({ method, path, wanted: String(wanted) }));
  });
  const ask = (n: number) => {
    const { method, path } = cases[n] as (typeof cases)[number];
    return { url: url + path.replaceAll(/\{[^}]+\}/g, 'x'), method };
  };
  const replies = await askMany({ count: cases.length, abreast: 10, ask });
  const faults = replies.flatMap(({ status, headers, text }, n) => {
    const { method, path, wanted } = cases[n] as (typeof cases)[number];
    const allow = String(headers.allow ?? '')
      .split(', ')
      .sort();
    const type = headers['content-type'];
    const isError =
      odataPaths.test(path) && type === 'application/json' && (text === '' || text.startsWith('{"error":'));
    const isProblem = type === 'application/problem+json' || isError;
    const isWhole = (method === 'HEAD') === (text === '');
    return status === 405 && String(allow) === wanted && isProblem && isWhole
      ? []
      : [`${method} ${path}: ${status}, Allow ${allow} instead of ${wanted}`];
  });
  return { count: cases.length, faults };
}

async function faultsOf(url: string, { name, wanted, bytes }: Case): Promise<string[]> {
  const { status, headers, text } = await exchangeBytes(url, bytes);
  const isTrue = status === wanted || (wanted === 0 && status < 400);
  const isProblem =
    status < 400 || (headers.get('Content-Type') === 'application/problem+json' && text.startsWith('{'));
  return isTrue && isProblem ? [] : [`${name}: ${status} instead of ${wanted}`];
}

/** Returns requests with addresses and heads around their limits. */
function heads(host: string): Case[] {
  const around = [-1, 0, 1];
  return [
    ...around.map((more) => {
      const path = '/health/live?';
      const address = path + 'a'.repeat(addressBytesMax + more - path.length);
      // Within the limit, the undeclared query is rejected with 400.
      return {
        name: `an address of ${address.length} bytes`,
        wanted: more > 0 ? 414 : 400,
        bytes: head('GET', address, host),
      };
    }),
    ...around.map((more) => {
      const fields = { Host: host, Connection: 'close', 'X-Filler': '' };
      const used = Object.entries(fields).reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
      const filler = 'a'.repeat(headBytesMax + more - used);
      const bytes = head('GET', '/health/live', host, { 'X-Filler': filler });
      return { name: `a head of ${headBytesMax + more} bytes`, wanted: more > 0 ? 431 : 200, bytes };
    }),
  ];
}

function metricsForms(host: string): Case[] {
  const accept = (form: string) => head('GET', '/metrics', host, { Accept: form });
  const none = ['image/png', 'text/html', 'text/plain;q=0, application/json;q=0, application/openmetrics-text;q=0'];
  const some = ['*/*', 'text/*', 'application/json', 'image/png, text/plain;q=0.1', 'text/plain; version=0.0.4'];
  return [
    ...none.map((form) => ({ name: `Accept: ${form}`, wanted: 406, bytes: accept(form) })),
    ...some.map((form) => ({ name: `Accept: ${form}`, wanted: 200, bytes: accept(form) })),
  ];
}

function bodies(host: string): Case[] {
  const post = (type: string | undefined, body: string, isChunked = false) =>
    head('POST', '/echo', host, {
      'X-API-Key': goodKey,
      ...(type === undefined ? {} : { 'Content-Type': type }),
      ...(isChunked ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': String(Buffer.byteLength(body)) }),
    }) + (isChunked ? `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body);
  const sized = (bytes: number) => JSON.stringify({ text: 'x'.repeat(bytes - '{"text":""}'.length) });
  const accepted = [
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
  ];
  const rejected = [
    'text/plain',
    'application/xml',
    'application/jsonx',
    'multipart/form-data; boundary=a',
    'json',
    '',
  ];
  return [
    ...[-1, 0, 1].flatMap((more) =>
      [false, true].map((isChunked) => ({
        name: `a body of ${bodyBytesMax + more} bytes${isChunked ? ' in chunks' : ''}`,
        wanted: more > 0 ? 413 : 200,
        bytes: post('application/json', sized(bodyBytesMax + more), isChunked),
      })),
    ),
    ...accepted.map((type) => ({ name: `a body of ${type}`, wanted: 200, bytes: post(type, '{}') })),
    ...rejected.map((type) => ({ name: `a body of ${type}`, wanted: 415, bytes: post(type, '{}') })),
    { name: 'a body without a type', wanted: 415, bytes: post(undefined, '{}') },
  ];
}

function head(method: string, address: string, host: string, more: Readonly<Record<string, string>> = {}): string {
  const fields = Object.entries({ Host: host, Connection: 'close', ...more }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${method} ${address} HTTP/1.1\r\n${fields.join('')}\r\n`;
}
