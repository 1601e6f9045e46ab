import { cpuPerRequestFor } from './cost-per-request.ts';
import { type Figure, median } from './figure.ts';
import type { ServerProcess } from './server-process.ts';

/** Reports progress. */
export type Say = (text: string) => void;

/** What a benchmark receives besides its progress callback. */
export interface Run {
  /** Records a comparison for the table of servers and the chart. */
  record(comparison: Comparison): void;
  /** The value of --endpoints. */
  readonly endpoints: number | undefined;
}

/** Measures one subject and returns its figures. */
export type Benchmark = (say: Say, run: Run) => Promise<readonly Figure[]>;

/** One of the compared servers. */
export interface Contender {
  readonly name: string;
  readonly server: ServerProcess;
  /** Requested in turn. */
  readonly paths: readonly string[];
  /** Each round uses the next one, so that no key reaches its limit. */
  readonly headers: readonly Readonly<Record<string, string>>[];
}

/** The figures of one server: medians over the rounds. */
export interface ServerFigures {
  readonly name: string;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  readonly cpuUs: number;
  /** Resident after the last round. */
  readonly memoryMb: number;
}

/** Servers that did the same work in one run. */
export interface Comparison {
  readonly title: string;
  readonly servers: readonly ServerFigures[];
}

export interface Rounds {
  readonly title: string;
  readonly connections: number;
  readonly warmSeconds: number;
  readonly rounds: number;
  readonly seconds: number;
  /** Checked after the rounds; while it returns false the rounds repeat, up to eight times in all. */
  readonly isEnough?: (compared: Pick<Compared, 'quietest'>) => boolean;
}

export interface Compared extends Comparison {
  /** Returns the ratio of the CPU per request of two servers, for each round. */
  ratios(name: string, to: string): number[];
  /**
   * Returns the ratio of the fastest third of the rounds, because other programs make a round more expensive. One round
   * decides nothing: a virtual machine is sometimes faster for a second.
   */
  quietest(name: string, to: string): number;
}

/** Enough to compile the code of a server; warming up takes at most three times as long on a slow machine. */
const warmRequests = 10_000;

type Sample = Awaited<ReturnType<typeof cpuPerRequestFor>>;

/** Loads the servers in turn, round by round, so that a longer disturbance affects all of them. */
export async function compareServers(
  contenders: readonly Contender[],
  { title, connections, warmSeconds, rounds, seconds, isEnough = () => true }: Rounds,
  say: Say,
): Promise<Compared> {
  let turn = 0;
  const measure = ({ server, paths, headers }: Contender, forSeconds: number) => {
    const sent = headers[turn++ % headers.length] ?? {};
    return cpuPerRequestFor({ server, paths, headers: sent, connections, seconds: forSeconds });
  };
  for (const contender of contenders) {
    let sent = 0;
    for (let time = 0; time < 3 && (time === 0 || sent < warmRequests); time++) {
      sent += (await measure(contender, warmSeconds)).sent;
    }
  }
  const samples = new Map(contenders.map(({ name }) => [name, [] as Sample[]]));
  const cpuOf = (name: string) => (samples.get(name) ?? []).map(({ cpuUs }) => cpuUs);
  const quietest = (name: string, to: string) => costOfFastest(cpuOf(name)) / costOfFastest(cpuOf(to));
  for (let time = 0; time < 8 && (time === 0 || !isEnough({ quietest })); time++) {
    for (let round = 0; round < rounds; round++) {
      for (const contender of contenders) samples.get(contender.name)?.push(await measure(contender, seconds));
    }
  }
  const servers: ServerFigures[] = [];
  for (const { name, server } of contenders) {
    const memoryMb = (await server.ask<number>('memory')) / 1e6;
    servers.push({ name, ...summarize(samples.get(name) ?? []), memoryMb });
    say(`${title}: ${name} ${servers.at(-1)?.cpuUs.toFixed(1)} µs`);
  }
  return {
    title,
    servers,
    quietest,
    ratios(name, to) {
      const others = cpuOf(to);
      return cpuOf(name).map((cpuUs, round) => cpuUs / (others[round] as number));
    },
  };
}

function costOfFastest(costs: readonly number[]): number {
  const fastest = costs.toSorted((a, b) => a - b).slice(0, Math.ceil(costs.length / 3));
  return fastest.reduce((sum, cost) => sum + cost, 0) / fastest.length;
}

function summarize(samples: readonly Sample[]): Omit<ServerFigures, 'name' | 'memoryMb'> {
  const of = (pick: (sample: Sample) => number) => median(samples.map(pick));
  return {
    perSecond: of(({ perSecond }) => perSecond),
    p50Ms: of(({ p50Ms }) => p50Ms),
    p99Ms: of(({ p99Ms }) => p99Ms),
    p999Ms: of(({ p999Ms }) => p999Ms),
    cpuUs: of(({ cpuUs }) => cpuUs),
  };
}
