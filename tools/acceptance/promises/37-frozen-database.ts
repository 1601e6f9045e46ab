import { setTimeout as wait } from 'node:timers/promises';
import { toFigure } from '../../benchmark/src/figure.ts';
import { createPostgresDatabase } from '../src/database.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { findPostgresProcesses } from '../src/promises/frozen-postgres.ts';
import { needPostgres } from '../src/promises/need-services.ts';
import { openStaffServers } from '../src/promises/staff-servers.ts';
import { type StallWatch, watchStalls } from '../src/promises/stall-watch.ts';

const callers = 16;
const deadlineMs = 2_000;
const recoveryMs = 2_000;
/** Only slower requests may have met a starved process; reading the waits of all would delay the others. */
const slowMs = 500;

interface Exchange {
  readonly path: string;
  readonly startedMs: number;
  readonly endedMs: number;
  /** The longest wait of one process for the CPU during the request. */
  readonly stalledMs: number;
  /** 0 without a response. */
  readonly status: number;
}

export const promise = definePromise({
  number: 37,
  title: 'A frozen database makes requests fail fast',
  done: 'All processes of PostgreSQL are frozen with SIGSTOP while 16 clients read, list and write without pause; they continue three seconds after the statement deadline. Liveness is requested ten times a second',
  excludes:
    'time in which the server, PostgreSQL or a client waited for the CPU, and requests after the recovery that waited so for more than three quarters of the statement deadline',
  target: '503 within the statement deadline + 1 s, liveness 200, recovery within 2 s',
  runsAlone: 'at full scale',
  async run({ byScale, atEnd, say }) {
    const rounds = byScale({ ci: 2, full: 10 });
    const postgres = await needPostgres(atEnd);
    const { env } = await createPostgresDatabase(postgres.url);
    const frozen = await findPostgresProcesses(postgres.url);
    const servers = await openStaffServers(env, atEnd);
    const server = await servers.start({ ROSTERGATE_SCHEDULING_STATEMENT_TIMEOUT_MS: String(deadlineMs) });
    const headers = await servers.logIn(server);
    // Runs before PostgreSQL and the server are stopped.
    atEnd(frozen.thaw);
    const done: Exchange[] = [];
    let isOver = false;
    let stalls: StallWatch | undefined;
    let endWatch = async (): Promise<unknown> => undefined;
    /** Watches the processes that run now: the server opens other connections after each freeze. */
    const watchAll = async () => {
      await endWatch();
      stalls = watchStalls([server.child.pid as number, process.pid, ...frozen.pids()], (end) => {
        endWatch = end;
      });
    };
    atEnd(() => endWatch());
    const stalledMs = (startedMs: number, endedMs: number) =>
      stalls === undefined || endedMs - startedMs < slowMs
        ? 0
        : endedMs - startedMs - stalls.lateMs(startedMs, endedMs);

    async function ask(path: string, json?: object): Promise<Response | undefined> {
      const startedMs = performance.now();
      const body = json === undefined ? {} : { method: 'PUT', body: JSON.stringify(json) };
      const type = json === undefined ? {} : { 'Content-Type': 'application/json' };
      const signal = AbortSignal.timeout(30_000);
      const response = await fetch(server.url + path, {
        ...body,
        headers: { ...(isLiveness({ path }) ? {} : headers), ...type },
        signal,
      }).catch(() => undefined);
      await response?.arrayBuffer().catch(() => undefined);
      const endedMs = performance.now();
      const status = response?.status ?? 0;
      done.push({ path, startedMs, endedMs, stalledMs: stalledMs(startedMs, endedMs), status });
      return response;
    }

    const made = await fetch(`${server.url}/v2/staffmember`, {
      ...{ method: 'POST', body: JSON.stringify({ StaffId: 'S-1' }) },
      headers: { ...headers, 'Content-Type': 'application/json' },
    });
    const { StaffKey } = (await made.json()) as { StaffKey: string };
    const person = `/v2/staffmember/${StaffKey}`;
    const list = `/v2/staffmember?companyKey=${servers.companyKey}`;
    const working = Array.from({ length: callers }, async (_, caller) => {
      for (let i = 0; !isOver; i++) {
        const response =
          caller % 3 === 0
            ? await ask(person, { City: `${caller} ${i}` })
            : await ask(caller % 3 === 1 ? person : list);
        if (response?.status !== 200) await wait(10);
      }
    });
    const watching = (async () => {
      while (!isOver) {
        await ask('/health/live');
        await wait(100);
      }
    })();

    const spans: { readonly frozenMs: number; readonly thawedMs: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      await watchAll();
      await wait(1_000);
      const frozenMs = performance.now();
      frozen.freeze();
      await wait(deadlineMs + 3_000);
      await frozen.thaw();
      spans.push({ frozenMs, thawedMs: performance.now() });
      await wait(recoveryMs);
      await watchAll();
      await wait(1_000);
      say(`round ${round + 1} of ${rounds}`);
    }
    isOver = true;
    await Promise.all([...working, watching]);

    const [alive, work] = [done.filter(isLiveness), done.filter((one) => !isLiveness(one))];
    const met = work.filter(({ startedMs, endedMs }) =>
      spans.some(({ frozenMs, thawedMs }) => startedMs < thawedMs && endedMs > frozenMs),
    );
    const others = met.filter(({ status }) => status !== 503 && status !== 200);
    const isStarved = ({ stalledMs }: Exchange) => stalledMs > 0.75 * deadlineMs;
    const late = work.filter((one) => {
      const { startedMs, status } = one;
      const isMet = spans.some((span) => startedMs > span.frozenMs && startedMs < span.thawedMs + recoveryMs);
      return !isMet && status !== 200 && !isStarved(one) && !met.includes(one);
    });
    // Time before the freeze is not counted.
    const tookMs = ({ startedMs, endedMs, stalledMs }: Exchange) => {
      const frozenMs = spans.findLast((span) => span.frozenMs < endedMs)?.frozenMs ?? startedMs;
      return endedMs - Math.max(startedMs, frozenMs) - stalledMs;
    };
    const [slowest] = met.toSorted((a, b) => tookMs(b) - tookMs(a));
    if (slowest === undefined) throw new Error('No request met the frozen database.');
    const dead = alive.filter(({ status }) => status !== 200);
    const recovered = spans.map(({ thawedMs }) => {
      const first = work.filter(({ endedMs, status }) => endedMs > thawedMs && status === 200);
      return Math.min(...first.map(({ endedMs, stalledMs }) => endedMs - stalledMs)) - thawedMs;
    });
    return [
      toFigure(
        { name: 'slowest response while PostgreSQL is frozen', unit: 'ms', max: deadlineMs + 1_000 },
        tookMs(slowest),
        JSON.stringify(slowest),
      ),
      toFigure(
        { name: 'responses other than 200 and 503', unit: '', max: 0 },
        others.length,
        JSON.stringify(others[0]),
      ),
      toFigure({ name: 'until the first 200 after the freeze', unit: 'ms', max: recoveryMs }, Math.max(...recovered)),
      toFigure(
        { name: 'requests failed two seconds after the freeze', unit: '', max: 0 },
        late.length,
        JSON.stringify(late[0]),
      ),
      toFigure({ name: 'liveness failures', unit: '', max: 0 }, dead.length, JSON.stringify(dead[0])),
      toFigure(
        { name: 'responses 503', unit: '', min: callers * rounds },
        met.filter((one) => one.status === 503).length,
      ),
    ];
  },
});

const isLiveness = ({ path }: Pick<Exchange, 'path'>): boolean => path === '/health/live';
