import fc from 'fast-check';
import { askRaw } from '../raw-lane.ts';
import { brokenTexts } from './broken-texts.ts';
import type { Fuzzed } from './fuzz-files.ts';
import { meantQuery } from './random-filters.ts';
import { threadTimeMs } from './server-work.ts';
import type { WatchedServer } from './watched-servers.ts';

const batch = 1_000;
// The probe request waits for all of them.
const abreast = 2;
/** The interval of the probe requests. */
const everyMs = 15;

const paths = fc.oneof(
  fc.constantFrom(
    ...[
      '/',
      '/health/live',
      '/docs',
      '/docs/swagger-ui.css',
      '/metrics',
      '/endpoints',
      '/openapi.json',
      '/v2/staffmember',
    ],
    ...['/v2/staffmember/abc', '/v2/staffmember/abc/tag', '/v2/staffmember/a%20b/payModifier/c', '/api/hello/x?note=a'],
    ...['/v2/staffmember?$top=1&companyKey=a', '/endpoints?service=crypto', 'http://a/health', '/auth/status'],
  ),
  fc.webPath(),
);
const pathPieces = [
  ...[
    '/',
    '//',
    '..',
    '/./',
    '%',
    '%2f',
    '%2F',
    '%00',
    '%0a',
    '%zz',
    '%e2%82',
    '%c0%af',
    '%F0%9F%98%80',
    '?',
    '#',
    '&',
    '=',
    ';',
    '*',
  ],
  ...[
    '{',
    '}',
    '[',
    ']',
    '|',
    '"',
    "'",
    '<',
    '\\',
    '^',
    '~',
    ':',
    '@',
    '$',
    '!',
    ',',
    '+',
    '.',
    'é',
    '\ud800',
    '__proto__',
    'constructor',
  ],
];
const filterPieces = [
  ...[
    '(',
    ')',
    "'",
    "''",
    ',',
    ' ',
    '/',
    '$',
    '@a',
    ' and ',
    ' or ',
    'not ',
    ' eq ',
    ' in (',
    'null',
    'true',
    '1e999',
    '-',
    'any(x:',
    '$it/',
  ],
  ...[
    '2024-01-01',
    "duration'P1D'",
    'LastName',
    'Tags/',
    'Fte',
    ' add ',
    ' div 0',
    ' mod ',
    'case(',
    'cast(',
    '%',
    '&',
    '\0',
    'é',
    ':',
  ],
];

/** Sends broken paths to all servers; none may cause a failure. */
export function fuzzPaths(servers: readonly WatchedServer[], count: number, seed: number): Promise<Fuzzed> {
  const targets = brokenTexts(paths, pathPieces).map((path) => path.replaceAll(/[\s\0]/g, ''));
  return fuzz('paths', servers, targets, count, seed);
}

/** Sends broken filters to the scheduling server. */
export function fuzzFilters(server: WatchedServer, companyKey: string, count: number, seed: number): Promise<Fuzzed> {
  const filters = meantQuery.map(({ options }) => options.$filter ?? 'true');
  const targets = fc.oneof(
    { weight: 1, arbitrary: filters },
    { weight: 9, arbitrary: brokenTexts(filters, filterPieces) },
  );
  const toTarget = (text: string) =>
    `/v2/staffmember?companyKey=${companyKey}&$top=1&$select=StaffKey&$filter=${encodeURIComponent(text.toWellFormed())}`;
  return fuzz('$filter', [server], targets.map(toTarget), count, seed);
}

async function fuzz(
  name: string,
  servers: readonly WatchedServer[],
  targets: fc.Arbitrary<string>,
  count: number,
  seed: number,
): Promise<Fuzzed> {
  let [accepted, longestMs] = [0, 0];
  const faults: string[] = [];
  for (const [i, server] of servers.entries()) {
    const share = Math.ceil(count / servers.length);
    const fields = Object.entries({ Host: new URL(server.url).host, ...server.headers }).map((field) =>
      field.join(': '),
    );
    // The first requests load code, which is not measured.
    for (let n = 0; n < 3; n++) {
      for (const path of ['/', '/docs', '/v2/staffmember?$top=1', '/endpoints']) await readAll(server, path);
    }
    for (let done = 0; done < share; done += batch) {
      const sample = fc.sample(targets, { numRuns: Math.min(batch, share - done), seed: seed + i + done });
      const requests = sample.map((target) => ({ method: 'GET', target: target === '' ? '/' : target, fields }));
      const longestOf = async (report: Parameters<typeof askRaw>[2]) => {
        const watch = watchWaits(server);
        await askRaw(server.url, requests, report, abreast);
        return watch.end();
      };
      let ms = await longestOf(({ target }, { status, head }) => {
        if (status >= 200 && status < 400) accepted++;
        const isFailure = (status >= 500 && status !== 501) || status === 0;
        if (isFailure) faults.push(`${server.name} ${status || head}: ${target.slice(0, 300)}`);
      });
      // Repeats slow batches, because a garbage collection does not happen twice.
      for (let again = 0; again < 3 && ms > Math.max(longestMs, 20); again++)
        ms = Math.min(ms, await longestOf(() => {}));
      longestMs = Math.max(longestMs, ms);
    }
  }
  return { name, count, accepted, faults, longestMs };
}

async function readAll({ url, headers }: WatchedServer, path: string): Promise<void> {
  await (await fetch(url + path, { headers })).arrayBuffer();
}

/** Sends probe requests and measures how long the server's thread works before it responds. */
function watchWaits(server: WatchedServer): { end(): Promise<number> } {
  const pid = server.child.pid as number;
  let isOver = false;
  let longestMs = 0;
  const watching = (async () => {
    while (!isOver) {
      const [before, startedMs] = [threadTimeMs(pid), performance.now()];
      await readAll(server, '/health/live');
      const passedMs = performance.now() - startedMs;
      const workedMs = before === undefined ? passedMs : (threadTimeMs(pid) ?? 0) - before;
      longestMs = Math.max(longestMs, Math.min(passedMs, workedMs));
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  })();
  return {
    async end() {
      isOver = true;
      await watching;
      return longestMs;
    },
  };
}
