import { type Exchange, isAllowed, type Span } from './exchange-log.ts';
import type { SeenStream } from './streams.ts';

/** What a scenario did on purpose. Times are of `performance.now()`. */
export interface Facts {
  /** Edits of the generation that `/answer` responds with. */
  readonly edits: readonly { readonly gateway: number; readonly generation: number; readonly writtenMs: number }[];
  /** Keys by name, with the time in which they must be accepted and the time of the edit that revokes them. */
  readonly keys: ReadonlyMap<string, { readonly validMs: number; readonly revokedMs: number }>;
  /** The most requests that the plan has admitted in its interval during the scenario, and the fewest. */
  readonly limit: { readonly most: number; readonly fewest: number; readonly intervalMs: number };
  /** How long a process waited for the CPU during the scenario: deadlines are extended by it. */
  readonly slackMs: number;
  /** When the clients stopped. */
  readonly endedMs: number;
}

export interface ScenarioLog {
  readonly exchanges: readonly Exchange[];
  readonly spans: readonly Span[];
  readonly streams: readonly SeenStream[];
}

/** An edit is in force this long after it was made (docs/concepts/reload.md). */
const editMsMax = 2_000;
/** A stream of a revoked key ends this long after the edit is in force (docs/how-to/websockets-and-streams.md). */
const closeMsMax = 1_000;

type Rule = (log: ScenarioLog, facts: Facts) => Iterable<string>;

/** What must hold in every scenario, by name. Each rule returns a line for each violation. */
export const contentRules: Readonly<Record<string, Rule>> = {
  'a response is for its own request': findForeign,
  'a policy applies to every response': findUnsealed,
  'a generation is never replaced by an older one': findOldGenerations,
  'a revoked key is rejected, and a valid one accepted': findWrongKeys,
  'a read returns what an earlier write through the gateway stored': findStaleReads,
};

/** What must hold unless a process lacks the CPU, so that deadlines inside the servers pass. */
export const timeRules: Readonly<Record<string, Rule>> = {
  'a response is complete and expected, unless a disturbance explains it': findUnexpected,
  'a stream has no gap, and ends only with its key, its worker or its gateway': findBrokenStreams,
  'no interval has more than the limit': findExcess,
  'no request is rejected while fewer than the limit count': findFalseRejections,
};

/** Returns all violations, at most `linesMax` of each rule. */
export function findViolations(log: ScenarioLog, facts: Facts, isStarved = false, linesMax = 3): string[] {
  return Object.entries({ ...contentRules, ...(isStarved ? {} : timeRules) }).flatMap(([name, rule]) => {
    const found = [...rule(log, facts)];
    const more = found.length > linesMax ? [`${name}: and ${found.length - linesMax} more`] : [];
    return [...found.slice(0, linesMax).map((line) => `${name}: ${line}`), ...more];
  });
}

const expected: Readonly<Record<string, readonly number[]>> = {
  private: [200, 401],
  limited: [200, 429],
  large: [200, 413],
  throws: [500],
  hangs: [503],
};
const forwarding = new Set(['read', 'write', 'forward', 'large']);

function* findUnexpected({ exchanges, spans }: ScenarioLog): Iterable<string> {
  for (const exchange of exchanges) {
    const { kind, reply } = exchange;
    if ((expected[kind] ?? [200]).includes(reply.status)) continue;
    if (reply.status === 0 && isAllowed(spans, 'connections', exchange)) continue;
    // The primary responds while no worker runs, and loses connections when a worker takes over the port.
    const isOfPrimary = reply.status === 0 || reply.text.includes('No worker is running.');
    if (isOfPrimary && isAllowed(spans, 'no worker', exchange)) continue;
    const isOfUpstream = forwarding.has(kind) && [502, 503, 504].includes(reply.status);
    if (isOfUpstream && isAllowed(spans, 'upstream', exchange)) continue;
    yield describe(exchange);
  }
}

function* findForeign({ exchanges }: ScenarioLog): Iterable<string> {
  for (const exchange of of(exchanges, 'forward', 'large', 'own')) {
    const { reply, about } = exchange;
    if (reply.status === 200 && (JSON.parse(reply.text) as { id?: unknown }).id !== about) yield describe(exchange);
  }
}

function* findUnsealed({ exchanges }: ScenarioLog): Iterable<string> {
  for (const exchange of of(exchanges, 'own')) {
    const { reply } = exchange;
    if (reply.status === 200 && reply.headers['x-seal'] !== 'sealed') yield describe(exchange);
  }
}

function* findOldGenerations({ exchanges }: ScenarioLog, { edits, slackMs }: Facts): Iterable<string> {
  const seen = of(exchanges, 'generation').filter(({ reply }) => reply.status === 200);
  for (const exchange of seen) {
    const { gateway, sentMs, receivedMs, reply } = exchange;
    const generation = Number(reply.text);
    const ofGateway = edits.filter((edit) => edit.gateway === gateway);
    const newest = Math.max(...ofGateway.filter((edit) => edit.writtenMs <= receivedMs).map((edit) => edit.generation));
    if (!(generation <= newest)) yield `${describe(exchange)}: ${newest} is the newest`;
    const live = seen.filter((one) => one.gateway === gateway && one.receivedMs + editMsMax + slackMs < sentMs);
    const oldest = Math.max(...live.map((one) => Number(one.reply.text)));
    if (generation < oldest) yield `${describe(exchange)}: ${oldest} was live before`;
  }
}

function* findWrongKeys({ exchanges }: ScenarioLog, { keys, slackMs }: Facts): Iterable<string> {
  for (const exchange of of(exchanges, 'private')) {
    const key = keys.get(String(exchange.about));
    const { status } = exchange.reply;
    if (key === undefined) continue;
    const { validMs, revokedMs } = key;
    if (status === 200 && exchange.sentMs > revokedMs + editMsMax + slackMs) yield `${describe(exchange)}: was revoked`;
    const isValid = exchange.sentMs > validMs && exchange.receivedMs < revokedMs;
    if (status === 401 && isValid) yield `${describe(exchange)}: was valid`;
  }
}

/** The text of an item is its version, which only grows. */
function* findStaleReads({ exchanges }: ScenarioLog): Iterable<string> {
  const versions = Map.groupBy(of(exchanges, 'write'), itemOf);
  for (const exchange of of(exchanges, 'read')) {
    if (exchange.reply.status !== 200) continue;
    const writes = (versions.get(itemOf(exchange)) ?? []).filter(({ reply }) => reply.status === 200);
    const before = writes.filter(({ receivedMs }) => receivedMs < exchange.sentMs);
    const stored = Math.max(0, ...before.map(({ about }) => versionOf(about)));
    if (versionOf(exchange.reply.text) < stored) yield `${describe(exchange)}: ${stored} was stored before`;
  }
}

/** Of `item=version`, as writes are about and items respond. */
const itemOf = ({ about }: Exchange) => String(about).split('=')[0] as string;
const versionOf = (text: string | number) => Number(String(text).split('=')[1] ?? 0);

/** Both gateways count together, unless their store is away. */
function* findExcess({ exchanges, spans }: ScenarioLog, { limit }: Facts): Iterable<string> {
  const admitted = of(exchanges, 'limited').filter(({ reply }) => reply.status === 200);
  for (const first of admitted) {
    const untilMs = first.sentMs + limit.intervalMs;
    const inside = admitted.filter(({ sentMs, receivedMs }) => sentMs >= first.sentMs && receivedMs < untilMs);
    // In the interval after an outage, the store does not know what each gateway has counted.
    const sentMs = first.sentMs - limit.intervalMs;
    if (inside.length > limit.most && !isAllowed(spans, 'store', { ...first, sentMs, receivedMs: untilMs })) {
      yield `${inside.length} of ${limit.most} within ${limit.intervalMs} ms from ${at(first.sentMs)}`;
    }
  }
}

function* findFalseRejections({ exchanges, spans }: ScenarioLog, { limit }: Facts): Iterable<string> {
  const limited = of(exchanges, 'limited');
  for (const exchange of limited) {
    if (exchange.reply.status !== 429) continue;
    // Clocks count whole milliseconds.
    const fromMs = exchange.sentMs - limit.intervalMs - 2;
    const counted = limited.filter(
      ({ reply, sentMs, receivedMs }) => reply.status !== 429 && receivedMs >= fromMs && sentMs <= exchange.receivedMs,
    );
    // Requests in transit to a frozen store count when it continues.
    const isLate = isAllowed(spans, 'store', { ...exchange, sentMs: fromMs });
    if (counted.length < limit.fewest && !isLate)
      yield `${describe(exchange)}: ${counted.length} of ${limit.fewest} count`;
  }
}

function* findBrokenStreams({ streams, spans }: ScenarioLog, { keys, slackMs, endedMs }: Facts): Iterable<string> {
  for (const { kind, gateway, key, openedMs, endedMs: closedMs, received, gap } of streams) {
    const name = `${kind} of ${key} at gateway ${gateway} from ${at(openedMs)}, ${received} received`;
    if (gap !== undefined) yield `${name}: ${gap}`;
    const revokedMs = keys.get(key)?.revokedMs ?? Number.POSITIVE_INFINITY;
    const dueMs = revokedMs + editMsMax + closeMsMax + slackMs;
    if (Math.min(closedMs, endedMs) > dueMs) yield `${name}: open ${at(Math.min(closedMs, endedMs) - dueMs)} too long`;
    const isExplained = isAllowed(spans, 'connections', { gateway, sentMs: closedMs, receivedMs: closedMs });
    if (closedMs < Math.min(endedMs, revokedMs) && !isExplained) yield `${name}: ended at ${at(closedMs)}`;
    const expected = (Math.min(closedMs, endedMs) - openedMs - slackMs) / 100 / 4;
    if (received < expected) yield `${name}: too few`;
  }
}

function of(exchanges: readonly Exchange[], ...kinds: readonly string[]): readonly Exchange[] {
  return exchanges.filter(({ kind }) => kinds.includes(kind));
}

function describe({ kind, gateway, about, sentMs, receivedMs, reply }: Exchange): string {
  const found = reply.fault ?? `${reply.status} ${reply.text.slice(0, 160)}`;
  return `${kind} ${about} at gateway ${gateway}, ${at(sentMs)} to ${at(receivedMs)}: ${found}`;
}

const at = (ms: number) => `${Math.round(ms)} ms`;
