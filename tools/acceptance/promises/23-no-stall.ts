import { type Figure, toFigure } from '../../benchmark/src/figure.ts';
import { definePromise, type Trial } from '../src/promises/define-promise.ts';
import { configuredInputs, configureManyKinds } from '../src/promises/hostile/configured-inputs.ts';
import { generateContracts } from '../src/promises/hostile/generated-contracts.ts';
import { type GrownRequest, growingInputs } from '../src/promises/hostile/growing-inputs.ts';
import {
  leastOf,
  pauseOf,
  roundsMax,
  type WorkingServer,
  waitBeside,
  workFor,
} from '../src/promises/hostile/server-work.ts';
import { startWatchedServers } from '../src/promises/hostile/watched-servers.ts';
import { startTokenIssuer } from '../src/promises/token-issuer.ts';
import { spawnGateway } from '../src/spawn-gateway.ts';
import { startListener } from '../src/start-listener.ts';

/** Longer work may be split; then the wait of other requests is measured. */
const atOnceMs = 20;
/** The target. */
const delayMsMax = 50;
/** Shorter work is too small to measure growth. */
const growthFromMs = 10;
/** 2 is linear growth, 4 is quadratic. */
const growthMax = 3.5;

export const promise = definePromise({
  number: 23,
  title: 'No super-linear input',
  done: 'Generated contracts × hostile bodies of up to 1 MiB; paths, the rest of prefixes, names, queries, OData, header fields, cookies, fields that policies read, tokens, WebSocket handshakes and bodies of 1 to 16 KB, doubling; measured is how long other clients wait for the server’s thread',
  excludes:
    'all but the fastest of five rounds of each input, one in CI, twelve of one that seems too slow: other programs only lengthen a round',
  target: 'no stall over 50 ms',
  async run({ atEnd, byScale, say }) {
    const rounds = byScale({ ci: 1, full: 5 });
    const issuer = await startTokenIssuer(atEnd);
    const { all, credentials } = await startWatchedServers(atEnd, {
      gateway: (upstream) => configureManyKinds(upstream, issuer),
    });
    const figures: Figure[] = [];
    const failures: string[] = [];
    for (const server of all) {
      const inputs = [
        ...growingInputs(server.name, credentials.COMPANY_KEY),
        ...(server.name === 'gateway' ? configuredInputs(issuer) : []),
      ];
      let [longestMs, longest] = [0, ''];
      let [steepest, steep] = [0, 'nothing'];
      for (let i = 0; i < 20; i++) await workFor(server, { path: '/health/live' });
      for (const { name, sizes, request } of inputs) {
        let [halfMs, half] = [Number.POSITIVE_INFINITY, 0];
        for (const size of sizes) {
          const what = `${name}, ${size} characters`;
          let { ms, status } = await leastOf(rounds, () => workFor(server, request(size)));
          if (status >= 500 && status !== 501) failures.push(`${what} at the ${server.name}: ${status}`);
          const wait =
            ms <= atOnceMs ? ms : (await leastOf(rounds, () => waitBeside(server, request(size)), delayMsMax)).ms;
          if (wait > longestMs) [longestMs, longest] = [wait, what];
          if (ms >= growthFromMs && ms / halfMs > growthMax) {
            [halfMs, ms] = await leastInTurn(server, request(half), request(size));
          }
          if (ms >= growthFromMs && ms / halfMs > steepest) [steepest, steep] = [ms / halfMs, what];
          [halfMs, half] = [ms, size];
        }
      }
      say(`${server.name}: ${longestMs.toFixed(1)} ms for ${longest}; × ${steepest.toFixed(1)} for ${steep}`);
      figures.push(
        toFigure({ name: `longest at the ${server.name}`, unit: 'ms', max: delayMsMax }, longestMs, longest),
        toFigure(
          { name: `growth per doubled input at the ${server.name}`, unit: '×', max: growthMax },
          steepest,
          steep,
        ),
        toFigure({ name: 'kinds of input', unit: '', min: 100 }, inputs.length),
      );
    }
    figures.push(...(await tryContracts({ count: byScale({ ci: 25, full: 500 }), rounds, atEnd, say, failures })));
    return [
      ...figures,
      toFigure({ name: 'requests failed', unit: '', max: 0 }, failures.length, failures.slice(0, 3).join('; ')),
    ];
  },
});

/** Measures two inputs in turn, so that both meet the machine at its full speed. Returns the least work of each in ms. */
async function leastInTurn(server: WorkingServer, half: GrownRequest, whole: GrownRequest): Promise<[number, number]> {
  let [halfMs, wholeMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < roundsMax; round++) {
    halfMs = Math.min(halfMs, (await workFor(server, half)).ms);
    wholeMs = Math.min(wholeMs, (await workFor(server, whole)).ms);
  }
  return [halfMs, wholeMs];
}

interface ContractTrial extends Pick<Trial, 'atEnd' | 'say'> {
  readonly count: number;
  readonly rounds: number;
  readonly failures: string[];
}

/** Sends bodies that are expensive to validate to endpoints with generated schemas. */
async function tryContracts({ count, rounds, atEnd, say, failures }: ContractTrial): Promise<Figure[]> {
  const upstream = await startListener((_req, res) =>
    res.writeHead(200, { 'Content-Type': 'application/json' }).end('1'),
  );
  atEnd(upstream.stop);
  const contracts = generateContracts(count);
  const names = contracts.map((_, n) => `c${n}`);
  const gateway = await spawnGateway(
    {
      endpoints: names.map((name) => ({
        path: `/${name}`,
        method: 'POST',
        service: 'http',
        upstream: { targets: [upstream.url], path: '/' },
        contract: { document: `${name}.json`, operation_id: 'check' },
      })),
      files: Object.fromEntries(
        contracts.map(({ schema }, n) => [`${names[n]}.json`, documentOf(`/${names[n]}`, schema)]),
      ),
    },
    atEnd,
  );
  const server = { ...gateway, name: 'gateway', headers: {} } as const;
  let [longestMs, longest, requests] = [0, 'nothing', 0];
  for (const [n, { schema, bodies }] of contracts.entries()) {
    const request = (body: string) => ({
      method: 'POST',
      path: `/${names[n]}`,
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    // The first requests compile the schema.
    for (const body of ['null', '{"a":1}', '[]']) await workFor(server, request(body));
    for (const body of bodies) {
      const { ms, status } = await pauseOf(server, request(body), rounds, delayMsMax);
      requests++;
      const what = `${body.length} bytes ${body.slice(0, 40)} for ${JSON.stringify(schema).slice(0, 200)}`;
      if (status >= 500) failures.push(`${what}: ${status}`);
      if (ms > longestMs) [longestMs, longest] = [ms, what];
    }
  }
  say(`contracts: ${longestMs.toFixed(1)} ms for ${longest}`);
  return [
    toFigure({ name: 'longest for a generated contract', unit: 'ms', max: delayMsMax }, longestMs, longest),
    toFigure({ name: 'bodies for generated contracts', unit: '', min: count * 5 }, requests),
  ];
}

function documentOf(path: string, schema: object): string {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Node' } } };
  return JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Generated', version: '1' },
    paths: {
      [path]: { post: { operationId: 'check', requestBody: { content }, responses: { 200: { description: 'x' } } } },
    },
    components: { schemas: { Node: schema } },
  });
}
