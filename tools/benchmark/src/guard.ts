import { bind, parseQueryOptions } from '@rostergate/odata';
import { people } from '../../../packages/odata/test/people.ts';
import {
  type Benchmark,
  type Compared,
  type Contender,
  compareServers,
  type Run,
  type Say,
} from './compare-servers.ts';
import { bytesPerRequest } from './cost-per-request.ts';
import { type Figure, spread, toFigure } from './figure.ts';
import { createCallers, middleOf } from './gateway/configurations.ts';
import { startPriceGateway } from './gateway/gateway.ts';
import { costUs, filterText } from './odata.ts';
import { startLocalPeer } from './peers.ts';
import { compareForwarding, ours, theirs } from './proxy/forward.ts';
import { type ServerProcess, stop } from './server-process.ts';

/** Ratios measured on a quiet machine. */
const recordedRatios = {
  /** Between 0.68 on a machine of its own, and 0.91 to 0.95 on a virtual machine that shares its processors. */
  gatewayToBare: 0.8,
  bytesToBare: 0.8,
  manyEndpointsToOne: 1,
  forwardingToPeer: 0.75,
  /** Parsing and binding a filter, to JSON.parse of the same tree. */
  filterToJson: 1.4,
} as const;

/** Above this multiple of the recorded ratio, a difference is not noise. */
const guardMargin = 1.5;

function guardedMax(name: keyof typeof recordedRatios): number {
  return recordedRatios[name] * guardMargin;
}

/**
 * Finds within a minute, on a busy machine, what has become 1.5× as expensive: ratios of the fastest rounds of one run,
 * and counts. The targets of the other benchmarks need a quiet machine.
 */
export const guardBenchmarks: Readonly<Record<string, Benchmark>> = {
  gateway: guardGateway,
  forwarding: guardForwarding,
  filter: guardFilter,
};

const one = 'rostergate, 1 endpoint';
const many = 'rostergate, 10,000 endpoints';
const bare = 'bare Express 5';

/** Compares a local service with a bare Express route, and 10,000 endpoints with one. */
async function guardGateway(say: Say, { record }: Run): Promise<readonly Figure[]> {
  await using servers = new AsyncDisposableStack();
  const { keys, digests, headers } = createCallers();
  const start = (name: string, server: ServerProcess, count: number): Contender => ({
    ...{ name, server: servers.adopt(server, stop), paths: [middleOf(count)], headers },
  });
  const gateway = start(one, await startPriceGateway(1, keys), 1);
  const gatewayOfMany = start(many, await startPriceGateway(10_000, keys), 10_000);
  const express = start(bare, await startLocalPeer('bare-express', 1, digests), 1);
  const ratios = [
    { name: one, to: bare, max: guardedMax('gatewayToBare') },
    { name: many, to: one, max: guardedMax('manyEndpointsToOne') },
  ];
  const rounds = {
    ...{ title: 'guard: a local service', connections: 8, warmSeconds: 2, rounds: 3, seconds: 1 },
    isEnough: ({ quietest }: Pick<Compared, 'quietest'>) =>
      ratios.every(({ name, to, max }) => quietest(name, to) <= max),
  };
  const compared = await compareServers([gateway, gatewayOfMany, express], rounds, say);
  record(compared);
  const bytesMax = guardedMax('bytesToBare');
  let [bytes, bareBytes] = [await bytesPerRequest(gateway), await bytesPerRequest(express)];
  // Code that is not yet compiled allocates more; later requests allocate no less than they must.
  for (let n = 1; n < 5 && bytes / bareBytes > bytesMax; n++) {
    bytes = Math.min(bytes, await bytesPerRequest(gateway));
    bareBytes = Math.min(bareBytes, await bytesPerRequest(express));
  }
  return [
    ...ratios.map(({ name, to, max }) =>
      toFigure(
        { name: `guard: CPU of ${name} to ${to}`, max, unit: '×' },
        compared.quietest(name, to),
        spread(compared.ratios(name, to)),
      ),
    ),
    toFigure(
      {
        ...{ name: `guard: bytes allocated for a request, ${one} to ${bare}` },
        ...{ max: bytesMax, unit: '×' },
      },
      bytes / bareBytes,
      `${Math.round(bytes)} beside ${Math.round(bareBytes)}`,
    ),
  ];
}

/** Compares a forwarded read of the staff proxy with a peer that only forwards. */
async function guardForwarding(say: Say, { record }: Run): Promise<readonly Figure[]> {
  const bound = { name: `guard: CPU of ${ours} to ${theirs}`, max: guardedMax('forwardingToPeer'), unit: '×' };
  const compared = await compareForwarding(
    {
      ...{ title: 'guard: forwarded reads', warmSeconds: 3, rounds: 3 },
      isEnough: ({ quietest }) => quietest(ours, theirs) <= bound.max,
    },
    say,
  );
  record(compared);
  return [toFigure(bound, compared.quietest(ours, theirs), spread(compared.ratios(ours, theirs)))];
}

/** Compares parsing and binding a filter of five clauses with JSON.parse of its tree. */
async function guardFilter(say: Say): Promise<readonly Figure[]> {
  const read = () => bind(parseQueryOptions(filterText), people, 'Person');
  const json = JSON.stringify(read());
  const bound = {
    name: 'guard: parse and bind a filter of 5 clauses to JSON.parse of its tree',
    max: guardedMax('filterToJson'),
    unit: '×',
  };
  let [ownUs, jsonUs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const ratios: number[] = [];
  // The first rounds still compile the parser. Later ones cannot be faster than the code is.
  while (ratios.length < 3 || (ratios.length < 9 && ownUs / jsonUs > bound.max)) {
    const round = [costUs(read, 8), costUs(() => JSON.parse(json), 8)] as const;
    ratios.push(round[0] / round[1]);
    [ownUs, jsonUs] = [Math.min(ownUs, round[0]), Math.min(jsonUs, round[1])];
    say(`${round[0].toFixed(1)} µs, ${round[1].toFixed(1)} µs for JSON.parse of its tree`);
  }
  return [toFigure(bound, ownUs / jsonUs, spread(ratios))];
}
