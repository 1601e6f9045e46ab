import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Figure, percentile, toFigure } from '../../benchmark/src/figure.ts';
import type { AtEnd } from '../src/at-end.ts';
import { launchChromium } from '../src/browser/chromium.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { goodKey, makeGatewayFolder, spawnGateway } from '../src/spawn-gateway.ts';
import { startListener } from '../src/start-listener.ts';
import { startServers } from '../src/start-servers.ts';

/** An operation that takes a body, and its limit. */
interface Target {
  readonly url: string;
  readonly type: string;
  readonly bytesMax: number;
}

const mebibyte = 1024 * 1024;
const json = 'application/json';
const form = 'application/x-www-form-urlencoded';
const quietMs = 15_000;

export const promise = definePromise({
  number: 34,
  title: 'Too large is rejected early',
  done: 'Announced and chunked bodies over the limit at the three servers, with and without Expect: 100-continue; curl, undici and a browser send 20 MiB',
  target: '413 before the body, or within one read after the limit; read by curl, undici and a browser',
  async run({ byScale, atEnd }) {
    const { pageUrl, targets } = await startTargets(atEnd);
    const tookMs: number[] = [];
    const faults: string[] = [];
    const check = async (name: string, target: Target, status: Promise<number>) => {
      const found = await status.catch((error: unknown) => String(error));
      if (found !== 413) faults.push(`${name} at ${target.url}: ${found}`);
    };
    const rounds = byScale({ ci: 2, full: 20 });
    let count = 0;
    for (let round = 0; round < rounds; round++) {
      for (const target of targets) {
        for (const one of rawCases(target)) {
          count++;
          const { fault, ms } = await tryRaw(target, one);
          tookMs.push(ms);
          if (fault !== undefined) faults.push(`${one.name} at ${target.url}: ${fault}`);
        }
      }
    }
    const browser = await launchChromium();
    atEnd(() => browser.close());
    const page = await browser.newPage();
    await page.goto(pageUrl);
    const folder = await makeGatewayFolder({}, atEnd);
    const file = join(folder, 'body');
    await writeFile(file, Buffer.alloc(20 * mebibyte, 'x'));
    for (let round = 0; round < byScale({ ci: 1, full: 5 }); round++) {
      for (const target of targets) {
        const { url, type } = target;
        const headers = { 'Content-Type': type, 'X-API-Key': goodKey };
        for (const more of [['Expect:'], ['Expect: 100-continue'], ['Transfer-Encoding: chunked', 'Expect:']]) {
          count++;
          await check(`curl with ${more}`, target, curl(url, file, [...more, ...fieldsOf(headers)]));
        }
        for (const isChunked of [false, true]) {
          count++;
          const blob = new Blob([new Uint8Array(20 * mebibyte)]);
          const body = isChunked ? blob.stream() : blob;
          const sent = fetch(url, { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
          await check(`undici${isChunked ? ' in chunks' : ''}`, target, sent.then(statusOf));
        }
        if (!url.startsWith(pageUrl)) continue;
        count++;
        await check('a browser', target, page.evaluate(askInPage, { url, headers, bytes: 20 * mebibyte }));
      }
    }
    const figures: Figure[] = [
      toFigure(
        { name: 'wrong, late or unread responses', unit: '', max: 0 },
        faults.length,
        faults.slice(0, 3).join('; '),
      ),
      toFigure({ name: 'p99 of the time to the 413', unit: 'ms', max: 250 }, percentile(tookMs, 99)),
      toFigure({ name: 'requests', unit: '', min: 25 * rounds }, count),
    ];
    return figures;
  },
});

/** Starts a gateway with endpoints that validate and that forward a body, and both other servers for their logins. */
async function startTargets(atEnd: AtEnd): Promise<{ readonly pageUrl: string; readonly targets: readonly Target[] }> {
  const upstream = await startListener((req, res) => void req.resume().on('end', () => res.end()));
  atEnd(upstream.stop);
  const bytesMax = 100_000;
  const endpoints = [
    { path: '/echo', method: 'POST', service: 'echo' },
    { path: '/up', method: 'POST', service: 'http', upstream: { targets: [upstream.url] } },
  ];
  const gateway = await spawnGateway({ settings: { body_bytes_max: bytesMax }, endpoints }, atEnd);
  const servers = await startServers();
  atEnd(servers.stop);
  const login = { type: form, bytesMax: 16_384 };
  return {
    pageUrl: `${gateway.url}/`,
    targets: [
      { url: `${gateway.url}/echo`, type: json, bytesMax },
      { url: `${gateway.url}/up`, type: json, bytesMax },
      { url: `${servers.urls['staff-proxy']}/v2/login`, ...login },
      { url: `${servers.urls.scheduling}/v2/login`, ...login },
    ],
  };
}

interface RawCase {
  readonly name: string;
  readonly fields: readonly string[];
  /** The bytes after the head; the body never ends. */
  readonly sent: string;
  readonly mayContinue?: boolean;
}

function rawCases({ bytesMax }: Target): RawCase[] {
  const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`;
  const chunked = 'Transfer-Encoding: chunked';
  const expecting = 'Expect: 100-continue';
  return [
    { name: 'one byte over the limit, announced', fields: [`Content-Length: ${bytesMax + 1}`], sent: '' },
    { name: 'a tebibyte, announced', fields: ['Content-Length: 1099511627776'], sent: '' },
    { name: 'announced with Expect', fields: [`Content-Length: ${bytesMax + 1}`, expecting], sent: '' },
    { name: 'a chunk over the limit', fields: [chunked], sent: chunk(bytesMax + 1) },
    { name: 'a chunk of the limit and one byte', fields: [chunked], sent: chunk(bytesMax) + chunk(1) },
    { name: 'chunks with Expect', fields: [chunked, expecting], sent: chunk(bytesMax + 1), mayContinue: true },
  ];
}

/** Sends a head and an incomplete body; the response and the end of the connection must follow. */
async function tryRaw({ url, type }: Target, { fields, sent, mayContinue = false }: RawCase) {
  const { hostname, host, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  const late = setTimeout(() => socket.destroy(new Error('no end of the response')), quietMs);
  const startedMs = performance.now();
  const all = [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${host}`,
    `Content-Type: ${type}`,
    `X-API-Key: ${goodKey}`,
    ...fields,
  ];
  socket.write(`${all.join('\r\n')}\r\n\r\n${sent}`);
  const reply = await text(socket).catch((error: Error) => error.message);
  clearTimeout(late);
  const ms = performance.now() - startedMs;
  const final = mayContinue ? reply.replace(/^HTTP\/1\.1 100 [\s\S]*?\r\n\r\n/, '') : reply;
  const isRight = /^HTTP\/1\.1 413 /.test(final) && /^connection: close\r$/im.test(final) && final.endsWith('}');
  return { fault: isRight ? undefined : reply.slice(0, 80), ms };
}

const fieldsOf = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`);

async function curl(url: string, file: string, fields: readonly string[]): Promise<number> {
  const args = [
    '--silent',
    '--max-time',
    '20',
    '--output',
    '/dev/null',
    '--write-out',
    '%{http_code} %{size_download}',
  ];
  const heads = fields.flatMap((field) => ['--header', field]);
  const child = spawn('curl', [...args, '--request', 'POST', '--upload-file', file, ...heads, url]);
  const [out] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const [status = '', bytes = ''] = out.split(' ');
  return Number(bytes) > 0 ? Number(status) : 0;
}

async function statusOf(response: Response): Promise<number> {
  const { code } = (await response.json()) as { code?: string };
  return code === 'body_too_large' ? response.status : 0;
}

interface AskedInPage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: number;
}

/** Runs in the browser page. */
async function askInPage({ url, headers, bytes }: AskedInPage): Promise<number> {
  const response = await fetch(url, { method: 'POST', headers, body: new Blob([new Uint8Array(bytes)]) });
  const { code } = (await response.json()) as { code?: string };
  return code === 'body_too_large' ? response.status : 0;
}
